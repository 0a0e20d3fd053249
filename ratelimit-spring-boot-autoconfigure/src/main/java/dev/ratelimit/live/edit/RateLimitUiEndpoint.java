package dev.ratelimit.live.edit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.function.Supplier;

import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.web.util.HtmlUtils;

/**
 * A page that shows the current state of the limits. The page contains no figures; the
 * browser reads them from {@code ratelimitlive} with the rights of its user.
 */
@WebEndpoint(id = "ratelimitui")
final class RateLimitUiEndpoint {

	private final LivePage page = LivePage.load();

	private final Supplier<String> link;

	/**
	 * Create an endpoint.
	 * @param link finds the address of {@code ratelimitlive} relative to the page; empty
	 * if that endpoint is not exposed
	 */
	RateLimitUiEndpoint(Supplier<String> link) {
		this.link = link;
	}

	/**
	 * Return the page.
	 * @return its HTML
	 */
	@ReadOperation(produces = "text/html;charset=UTF-8")
	String page() {
		return this.page.html(this.link.get());
	}

	/**
	 * The HTML of the live page. The page contains its style and its script, and its
	 * content security policy permits only these two, by their hashes. Immutable.
	 */
	static final class LivePage {

		private static final String RESOURCE = "/META-INF/ratelimit/ui/page.html";

		private static final String POLICY = "default-src 'none'; style-src '%s'; script-src '%s'; connect-src 'self';"
				+ " base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'";

		private final String html;

		private LivePage(String html) {
			this.html = html;
		}

		static LivePage load() {
			String text = text();
			String policy = POLICY.formatted(hash(within(text, "style")), hash(within(text, "script")));
			return new LivePage(text.replace("@policy@", policy));
		}

		/**
		 * Return the page.
		 * @param link the address of the endpoint with the figures, relative to the page;
		 * empty if the endpoint is not exposed
		 * @return the HTML
		 */
		String html(String link) {
			return this.html.replace("@live@", HtmlUtils.htmlEscape(link));
		}

		private static String text() {
			try (InputStream resource = LivePage.class.getResourceAsStream(RESOURCE)) {
				if (resource == null) {
					throw new IllegalStateException("The resource " + RESOURCE + " is missing");
				}
				return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		private static String within(String text, String tag) {
			int start = text.indexOf("<" + tag + ">") + tag.length() + 2;
			return text.substring(start, text.indexOf("</" + tag + ">", start));
		}

		private static String hash(String content) {
			try {
				byte[] digest = MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
				return "sha256-" + Base64.getEncoder().encodeToString(digest);
			}
			catch (NoSuchAlgorithmException ex) {
				throw new IllegalStateException("Every Java platform has SHA-256", ex);
			}
		}

	}

}
