package dev.ratelimit.client;

import java.net.URI;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import org.springframework.web.util.pattern.PatternParseException;

/**
 * A pattern of absolute URLs: a scheme, a host, a port if it is not that of the scheme,
 * and a pattern of paths as in {@code ratelimit.rules}.
 *
 * @param origin the scheme, host, and port, in lower case; the host is empty for all
 * subdomains of {@code parent}
 * @param parent the suffix of the host, including the leading dot; empty for a single
 * host
 * @param path the pattern of paths
 */
record UrlPattern(Origin origin, String parent, PathPattern path) {

	private static final Pattern FORM = Pattern
		.compile("(https?)://(\\*\\.)?([a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?|\\[[0-9a-f:.]+])(?::([0-9]{1,5}))?(/.*)?");

	private static final String ALL_PATHS = "/**";

	static UrlPattern parse(String quota, String url) {
		Matcher form = FORM.matcher(beforePath(url));
		InvalidQuotaException.require(form.matches(), quota, "urls", url,
				"it must be a URL with a host and a pattern of paths, such as https://api.example.com/**");
		boolean subdomains = form.group(2) != null;
		Origin origin = new Origin(form.group(1), (subdomains) ? "" : form.group(3),
				(form.group(4) != null) ? Integer.parseInt(form.group(4)) : Origin.defaultPort(form.group(1)));
		return new UrlPattern(origin, (subdomains) ? "." + form.group(3) : "", path(quota, url, form.group(5)));
	}

	// Paths are case-sensitive, hosts are not.
	private static String beforePath(String url) {
		int path = url.indexOf('/', url.indexOf("://") + 3);
		return (path < 0) ? url.toLowerCase(Locale.ROOT)
				: url.substring(0, path).toLowerCase(Locale.ROOT) + url.substring(path);
	}

	private static PathPattern path(String quota, String url, @Nullable String path) {
		try {
			return PathPatternParser.defaultInstance.parse((path != null) ? path : ALL_PATHS);
		}
		catch (PatternParseException ex) {
			throw new InvalidQuotaException(quota, "urls", url, "the pattern of paths is invalid: " + ex.getMessage());
		}
	}

	boolean matches(Origin requested, PathContainer requestedPath) {
		return this.origin.hasSchemeAndPortOf(requested) && matchesHost(requested.host())
				&& this.path.matches(requestedPath);
	}

	private boolean matchesHost(String host) {
		return (this.parent.isEmpty()) ? this.origin.host.equals(host) : host.endsWith(this.parent);
	}

	/**
	 * The origin of a URL.
	 *
	 * @param scheme http or https
	 * @param host the host, in lower case
	 * @param port the port
	 */
	record Origin(String scheme, String host, int port) {

		private static final Pattern AUTHORITY = Pattern.compile("(?:.*@)?(.*?)(?::([0-9]{1,5}))?");

		static Origin of(URI uri) {
			String scheme = lowerCase(uri.getScheme());
			return (uri.getHost() != null)
					? new Origin(scheme, lowerCase(uri.getHost()),
							(uri.getPort() >= 0) ? uri.getPort() : defaultPort(scheme))
					: of(scheme, lowerCase(uri.getRawAuthority()));
		}

		// The URI does not parse host names that are invalid, such as those with
		// underscores.
		private static Origin of(String scheme, String authority) {
			Matcher parts = AUTHORITY.matcher(authority);
			return (parts.matches())
					? new Origin(scheme, parts.group(1),
							(parts.group(2) != null) ? Integer.parseInt(parts.group(2)) : defaultPort(scheme))
					: new Origin(scheme, authority, defaultPort(scheme));
		}

		private static String lowerCase(@Nullable String text) {
			return (text != null) ? text.toLowerCase(Locale.ROOT) : "";
		}

		static int defaultPort(String scheme) {
			return (scheme.equals("https")) ? 443 : 80;
		}

		boolean hasSchemeAndPortOf(Origin other) {
			return this.scheme.equals(other.scheme) && this.port == other.port;
		}

	}

}
