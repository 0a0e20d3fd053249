package dev.ratelimit.doctor;

import java.util.Locale;

/**
 * Words as they are written in configuration.
 */
final class Words {

	private Words() {
	}

	static String of(Enum<?> value) {
		return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
