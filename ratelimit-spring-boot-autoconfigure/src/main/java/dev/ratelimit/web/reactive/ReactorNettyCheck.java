package dev.ratelimit.web.reactive;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.ratelimit.base.Check;
import dev.ratelimit.base.Finding;
import dev.ratelimit.base.FindingCode;
import org.jspecify.annotations.Nullable;

/**
 * Internal: finds versions of Reactor Netty whose server may stop reading keep-alive
 * connections.
 *
 * @param version the version of the server; null if its jar does not contain one
 */
public record ReactorNettyCheck(@Nullable String version) implements Check {

	private static final Pattern VERSION = Pattern.compile("(\\d{1,9})\\.(\\d{1,9})\\.(\\d{1,9}).*");

	private static final int[] FIXED = { 1, 3, 8 };

	@Override
	public List<Finding> findings() {
		String found = this.version;
		return (found != null && isAffected(found)) ? List.of(finding(found)) : List.of();
	}

	// An unknown version may contain the fix.
	private static boolean isAffected(String version) {
		Matcher parts = VERSION.matcher(version);
		if (!parts.matches()) {
			return false;
		}
		for (int i = 0; i < FIXED.length; i++) {
			int part = Integer.parseInt(parts.group(i + 1));
			if (part != FIXED[i]) {
				return part < FIXED[i];
			}
		}
		return false;
	}

	private static Finding finding(String version) {
		return new Finding(FindingCode.HANGING_CONNECTIONS, "reactor-netty-http " + version,
				"The server may stop reading a connection for good if a handler responds at once to a request that"
						+ " arrived before another thread had completed the previous response. Reactor Netty 1.3.8"
						+ " fixes this. Responses of the limiter are not affected.");
	}

}
