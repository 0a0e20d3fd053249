package dev.ratelimit.base;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Internal: names of the authorities that management and the API require, below
 * {@code ratelimit.authorities}.
 *
 * @param check Authority that may check requests, which charges limits.
 * @param read Authority that may read rules and limits.
 * @param operate Authority that may set switches, ban and lift, and reset and release
 * subjects.
 * @param write Authority that may change rules, and do all that {@code operate} may.
 */
public record AuthorityProperties(@DefaultValue("RATELIMIT_CHECK") String check,
		@DefaultValue("RATELIMIT_READ") String read, @DefaultValue("RATELIMIT_OPERATE") String operate,
		@DefaultValue("RATELIMIT_WRITE") String write) {
}
