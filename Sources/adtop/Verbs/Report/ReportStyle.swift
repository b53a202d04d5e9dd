/// The style sheet of the page: system fonts, light or dark as the reader's system, and a layout for paper.
enum ReportStyle {
    static let sheet = """

        :root {
          --ground: #ffffff; --panel: #f5f6f8; --line: #d9dce1; --text: #1c1f24; --muted: #5f6773;
          --ok: #1a7f4b; --bad: #c62828; --odd: #a15c00; --off: #8a94a3; --one: #2f6fb3;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --ground: #15181d; --panel: #1e2228; --line: #363c46; --text: #e4e7eb; --muted: #9aa4b2;
            --ok: #4cc38a; --bad: #ff6b6b; --odd: #f0b35a; --off: #6c7685; --one: #6ba6e8;
          }
        }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--ground); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
        main { max-width: 76rem; margin: 0 auto; padding: 2rem 1.5rem 4rem; }
        h1 { font-size: 1.6rem; line-height: 1.2; margin: 0; }
        h2 { font-size: 1.1rem; margin: 2.5rem 0 .5rem; }
        p { margin: .25rem 0 .75rem; color: var(--muted); }
        ul { list-style: none; margin: 0; padding: 0; }
        .cards { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.25rem; }
        .cards li { background: var(--panel); border-left: .25rem solid var(--line); padding: .6rem 1rem; min-width: \
        8rem;
          color: var(--muted); }
        .cards b { display: block; font-size: 1.5rem; line-height: 1.2; color: var(--text);
          font-variant-numeric: tabular-nums; }
        .cards li.ok { border-color: var(--ok); } .cards li.bad { border-color: var(--bad); }
        .cards li.odd { border-color: var(--odd); } .cards li.off { border-color: var(--off); }
        .legend { display: flex; flex-wrap: wrap; gap: 1.25rem; color: var(--muted); font-size: .85rem; }
        i { display: inline-block; width: .7rem; height: .7rem; margin-right: .4rem; }
        i.ok { background: var(--ok); } i.bad { background: var(--bad); } i.odd { background: var(--odd); }
        i.off { background: var(--off); }
        svg.chart { display: block; width: 100%; height: auto; }
        svg text { fill: var(--muted); font-size: 12px; font-variant-numeric: tabular-nums; }
        .grid { stroke: var(--line); stroke-dasharray: 2 4; } .axis { stroke: var(--muted); }
        rect.ok { fill: var(--ok); } rect.bad { fill: var(--bad); } rect.odd { fill: var(--odd); }
        rect.off { fill: var(--off); } rect.one { fill: var(--one); } rect.hit { fill: transparent; }
        svg.share { display: block; width: 7rem; height: .5rem; }
        svg.strip { display: block; width: 4.5rem; height: 1rem; }
        .scroll { overflow-x: auto; }
        table { border-collapse: collapse; width: 100%; font-size: .875rem; }
        th { text-align: left; color: var(--muted); font-weight: 600; border-bottom: 1px solid var(--line);
          padding: .35rem .6rem; white-space: nowrap; }
        td { border-bottom: 1px solid var(--line); padding: .3rem .6rem; vertical-align: middle; }
        .n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
        td.zero { color: var(--off); } td.bad { color: var(--bad); font-weight: 600; }
        td.odd { color: var(--odd); font-weight: 600; }
        td.name, td.ad { min-width: 10rem; max-width: 24rem; overflow-wrap: anywhere; } td.ad { padding-left: 2rem; }
        td.wide { min-width: 18rem; overflow-wrap: anywhere; }
        td.time { white-space: nowrap; color: var(--muted); font-variant-numeric: tabular-nums; }
        tr.break td { background: var(--panel); font-weight: 600; }
        tr.session th { color: var(--text); padding-top: 1.25rem; overflow-wrap: anywhere; white-space: normal; }
        .none { font-style: italic; }
        h3 { font-size: .95rem; margin: 1.25rem 0 .25rem; overflow-wrap: anywhere; }
        small { color: var(--muted); font-weight: 400; }
        a { color: inherit; text-decoration-color: var(--one); text-underline-offset: .15em; }
        tr:target td, tr:target th { outline: 2px solid var(--one); outline-offset: -2px; }
        @media print {
          :root {
            --ground: #ffffff; --panel: #f5f6f8; --line: #d9dce1; --text: #000000; --muted: #444444;
            --ok: #1a7f4b; --bad: #c62828; --odd: #a15c00; --off: #8a94a3; --one: #2f6fb3;
          }
          * { print-color-adjust: exact; }
          main { max-width: none; padding: 0; } .scroll { overflow: visible; } table { font-size: .7rem; }
          td, th { padding: .15rem .3rem; white-space: normal; } td.name, td.ad, td.wide { min-width: 0; }
          thead { display: table-header-group; } tr, svg, h2, h3 { break-inside: avoid; } h2, h3 { break-after: avoid; }
        }

        """
}
