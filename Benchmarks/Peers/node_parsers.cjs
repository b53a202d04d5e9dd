// Parses the playlist on standard input with m3u8-parser and hls.js, whichever node finds (NODE_PATH); prints
// NAME<TAB>MEDIAN MILLISECONDS for each. Exit 3: neither is installed.
const text = require('fs').readFileSync(0, 'utf8');

function measure(name, parse, rounds = 41) {
  for (let i = 0; i < 10; i++) parse();
  const times = [];
  for (let i = 0; i < rounds; i++) {
    const start = process.hrtime.bigint();
    parse();
    times.push(Number(process.hrtime.bigint() - start) / 1e6);
  }
  times.sort((a, b) => a - b);
  console.log(`${name}\t${times[rounds >> 1]}`);
}

function load(name) {
  try {
    globalThis.self = globalThis.self || globalThis;
    return require(name);
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') console.error(`${name}: ${error.message}`);
    return null;
  }
}

let found = 0;
const m3u8 = load('m3u8-parser');
if (m3u8 && m3u8.Parser) {
  found++;
  measure('m3u8-parser', () => {
    const parser = new m3u8.Parser();
    parser.push(text);
    parser.end();
    return parser.manifest.segments.length;
  });
}

const hls = load('hls.js');
const Parser = hls && (hls.M3U8Parser || (hls.default && hls.default.M3U8Parser));
if (Parser) {
  found++;
  const uri = 'https://cdn.example.com/live/ch1/media.m3u8';
  const parse = () => Parser.parseLevelPlaylist(text, uri, 0, 'main', 0, null);
  measure('hls.js parseLevelPlaylist, dates and URLs left lazy', parse);
  measure('hls.js and date and URL of every segment', () => {
    let sum = 0;
    for (const fragment of parse().fragments) sum += fragment.programDateTime + fragment.url.length;
    return sum;
  });
}
process.exit(found ? 0 : 3);
