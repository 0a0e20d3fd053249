package dev.ratelimit.autoconfigure;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Internal: the authorities that the API and the endpoints require, below
 * {@code ratelimit.authorities}.
 *
 * @param check Authority to check and charge limits through the API.
 * @param read Authority to read rules and limits through the API.
 * @param operate Authority to switch rules to shadow mode or off.
 * @param write Authority to change rules. Includes switches.
 */
public record AuthoritiesProperties(@DefaultValue("RATELIMIT_CHECK") String check,
		@DefaultValue("RATELIMIT_READ") String read, @DefaultValue("RATELIMIT_OPERATE") String operate,
		@DefaultValue("RATELIMIT_WRITE") String write) {
}
