package dev.ratelimit.live.edit;

import java.util.function.Supplier;

import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/**
 * Internal: a page that shows the limits at work. It holds no figures: the browser reads
 * them from {@code ratelimitlive}, with the rights of its user.
 */
@WebEndpoint(id = "ratelimitui")
public final class RateLimitUiEndpoint {

	private final LivePage page = LivePage.load();

	private final Supplier<String> link;

	/**
	 * An endpoint.
	 * @param link finds the address of {@code ratelimitlive} relative to the page; empty
	 * if that endpoint is not exposed
	 */
	public RateLimitUiEndpoint(Supplier<String> link) {
		this.link = link;
	}

	/**
	 * The page.
	 * @return its HTML
	 */
	@ReadOperation(produces = "text/html;charset=UTF-8")
	public String page() {
		return this.page.html(this.link.get());
	}

}
