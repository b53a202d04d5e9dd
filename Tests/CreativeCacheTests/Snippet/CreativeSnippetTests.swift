import CreativeCache
import Testing

/// CreativeServerTests run the snippet in a browser.
@Suite struct CreativeSnippetTests {
    @Test func itDoesWhatTheSeedForgot() {
        let text = CreativeSnippet(server: .gam, port: 16_300).text
        #expect(text.contains("https://localhost:16300/"))
        #expect(text.contains("response.ok") && text.contains("abort.abort(); }, 300)"))
        #expect(text.contains(#"setAttribute("sandbox""#) && !text.contains(#""allow-same-origin"#))
        #expect(text.contains("Local Network Access"))
        #expect(text.contains(#"data.uuid = "%%PATTERN:hb_cache_id%%";"#))
        #expect(!text.contains("@latest"))
    }

    @Test func thePlainOneReadsTheQuery() {
        let text = CreativeSnippet(server: .plain, port: 16_257).text
        #expect(text.contains(#"data.uuid = query.get("hb_cache_id") || "";"#) && !text.contains("%%"))
    }

    @Test func aURLCannotLeaveItsText() {
        var snippet = CreativeSnippet(server: .plain, port: 1)
        snippet.fallbackScript = "\"</script><script>alert(1)//\n"
        let text = snippet.text
        #expect(!text.contains("</script><script>") && text.contains(#"script.src = "\"\u{3c}/script\u{3e}"#))
    }
}
