package dev.ratelimit.autoconfigure;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Internal: names of the authorities that management requires, below
 * {@code ratelimit.authorities}.
 *
 * @param operate Authority that may set switches.
 * @param write Authority that may change rules, and set switches.
 */
public record AuthorityProperties(@DefaultValue("RATELIMIT_OPERATE") String operate,
		@DefaultValue("RATELIMIT_WRITE") String write) {
}
