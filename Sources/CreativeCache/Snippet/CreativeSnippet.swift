/// The markup for a line item of the ad server: it shows the creative of the loopback server, or the universal creative
/// if there is none (CACHE-9).
package struct CreativeSnippet: Hashable, Sendable {
    /// The ad server, which determines where the values of the bid come from.
    package enum Server: String, Hashable, Sendable, CaseIterable {
        /// Values come from macros of Google Ad Manager.
        case gam
        /// Values come from the query of the page that contains the snippet.
        case plain
    }

    /// Pinned to a reviewed version, because `@latest` may change without notice.
    package static let universalCreative =
        "https://cdn.jsdelivr.net/npm/prebid-universal-creative@1.17.0/dist/creative.js"
    /// Time limit for the loopback server, which answers within a few milliseconds; after it the universal creative is
    /// shown.
    package static let timeoutMilliseconds = 300

    package var server: Server
    package var port: Int
    /// Script loaded when the loopback server has no creative.
    package var fallbackScript = universalCreative
    /// Time limit for the loopback server in milliseconds.
    package var timeout = timeoutMilliseconds

    package init(server: Server, port: Int) {
        self.server = server
        self.port = port
    }

    /// Names in the data of the universal creative, with the targeting keys of their values (CACHE-8).
    private static let values: [(name: String, key: String)] = [
        ("adId", "hb_adid"), ("cacheHost", "hb_cache_host"), ("cachePath", "hb_cache_path"), ("uuid", "hb_cache_id"),
        ("mediaType", "hb_format"), ("env", "hb_env"), ("size", "hb_size"), ("hbPb", "hb_pb"),
    ]

    /// The markup as text.
    package var text: String {
        """
        <!-- adtop: the creative from this computer (https://localhost:\(port)), else from the universal creative.
             Chrome 142 and later ask the user before a public page may reach this computer (Local Network Access), and
             only pages over HTTPS may ask; without the permission, the universal creative shows the ad.
             The certificate must be trusted once: adtop cache cert show. -->
        <div id="adtop-creative"></div>
        <script>
        (function () {
          "use strict";
          var place = document.getElementById("adtop-creative");
          var data = {};
        \(assignments)

          function showUniversal() {
            window.ucTagData = data;
            var script = document.createElement("script");
            script.src = \(Self.literal(fallbackScript));
            script.onload = function () {
              if (window.ucTag) { window.ucTag.renderAd(document, data); }
            };
            place.appendChild(script);
          }

          function showLocal(markup) {
            var size = /^([0-9]{1,4})x([0-9]{1,4})$/.exec(data.size) || [0, "300", "250"];
            var frame = document.createElement("iframe");
            // No allow-same-origin: the creative runs apart from the page and from this computer's other servers.
            frame.setAttribute("sandbox", "allow-scripts allow-popups allow-popups-to-escape-sandbox");
            frame.width = size[1];
            frame.height = size[2];
            frame.style.border = "0";
            frame.srcdoc = markup;
            place.appendChild(frame);
          }

          if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(data.uuid)) { showUniversal(); return; }
          var abort = new AbortController();
          var timer = setTimeout(function () { abort.abort(); }, \(timeout));
          fetch("https://localhost:\(port)/" + data.uuid, {signal: abort.signal, credentials: "omit", cache: "no-store"})
            .then(function (response) {
              // fetch resolves on 404, too: without this test the frame would show "Not found".
              if (!response.ok) { throw new Error("status " + response.status); }
              return response.text();
            })
            .then(showLocal, showUniversal)
            .finally(function () { clearTimeout(timer); });
        })();
        </script>

        """
    }

    private var assignments: String {
        switch server {
        case .gam:
            (["  data.adServerDomain = \"\";", "  data.pubUrl = \"%%PATTERN:url%%\";"]
                + Self.values.map { "  data.\($0.name) = \"%%PATTERN:\($0.key)%%\";" }).joined(separator: "\n")
        case .plain:
            ([
                "  var query = new URLSearchParams(location.search);", "  data.adServerDomain = \"\";",
                "  data.pubUrl = location.href;",
            ] + Self.values.map { "  data.\($0.name) = query.get(\"\($0.key)\") || \"\";" }).joined(separator: "\n")
        }
    }

    /// A JavaScript string literal that cannot end its script element.
    private static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": literal += "\\\(scalar)"
            case "<", ">", "&", "\u{0}"..."\u{1F}", "\u{7F}"...:
                let digits = String(scalar.value, radix: 16)
                literal += "\\u{\(digits)}"
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }
}
