// The dailymotion parser on the documents of the shared generator, for ratios with our figures of the same run.
// usage: node vast-client-js.cjs FOLDER GENERATOR
// FOLDER has `vast-client-js` (its repository) and `node_modules/@xmldom/xmldom`; GENERATOR is large-documents.json.
const path = require('path')
const [folder, generatorPath] = process.argv.slice(2).map((name) => path.resolve(name))
const { DOMParser } = require(path.join(folder, 'node_modules/@xmldom/xmldom'))
const { VASTParser } = require(path.join(folder, 'vast-client-js/dist/vast-client-node.min.js'))
const generator = require(generatorPath)

const parser = new VASTParser()
const model = (text) => parser.parseVastXml(new DOMParser().parseFromString(text, 'text/xml'), { isRootVAST: true })

for (const { name, count } of generator.documents) {
  const ads = Array.from({ length: count }, (_, index) => generator.item.replaceAll('{n}', String(100001 + index)))
  const text = generator.prefix + ads.join('') + generator.suffix
  const repetitions = Math.max(1, Math.round(3e6 / text.length))
  const times = []
  for (let batch = 0; batch < 12; batch++) {
    const start = process.hrtime.bigint()
    for (let index = 0; index < repetitions; index++) model(text)
    // The first batch warms the compiler up.
    if (batch > 0) times.push(Number(process.hrtime.bigint() - start) / 1e3 / repetitions)
  }
  times.sort((a, b) => a - b)
  console.log(`vast ${name}: vast-client-js, text to model: median ${times[5].toFixed(0)} µs`)
}
