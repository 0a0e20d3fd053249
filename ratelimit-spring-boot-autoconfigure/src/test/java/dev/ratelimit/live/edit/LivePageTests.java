package dev.ratelimit.live.edit;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LivePageTests {

	private final String html = RateLimitUiEndpoint.LivePage.load().html("ratelimitlive");

	@Test
	void isSmall() {
		assertThat(this.html.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(60_000);
	}

	@Test
	void permitsItsOwnStyleAndScriptAlone() throws Exception {
		String policy = found("http-equiv=\"Content-Security-Policy\" content=\"([^\"]*)\"");
		assertThat(policy).startsWith("default-src 'none';")
			.contains("connect-src 'self'", "base-uri 'none'", "form-action 'none'",
					"require-trusted-types-for 'script'")
			.contains("style-src 'sha256-" + hash(found("<style>(.*?)</style>")) + "'")
			.contains("script-src 'sha256-" + hash(found("<script>(.*?)</script>")) + "'")
			.doesNotContain("unsafe");
	}

	@Test
	void loadsNothingFromElsewhere() {
		assertThat(this.html).doesNotContainPattern("(src|href|action)=\"").doesNotContain("@import", "url(");
	}

	@Test
	void neverMakesMarkupOfText() {
		assertThat(this.html).doesNotContain("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(",
				" style=\"", " onclick=");
	}

	@Test
	void escapesTheLink() {
		assertThat(RateLimitUiEndpoint.LivePage.load().html("a\"><script>"))
			.contains("content=\"a&quot;&gt;&lt;script&gt;\"");
	}

	private String found(String pattern) {
		Matcher matcher = Pattern.compile(pattern, Pattern.DOTALL).matcher(this.html);
		assertThat(matcher.find()).isTrue();
		return matcher.group(1);
	}

	private static String hash(String content) throws Exception {
		return Base64.getEncoder()
			.encodeToString(MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8)));
	}

}
