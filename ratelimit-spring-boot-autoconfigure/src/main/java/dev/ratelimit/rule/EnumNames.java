package dev.ratelimit.rule;

import java.util.Locale;

/**
 * Internal: the names of constants as configuration spells them.
 */
public final class EnumNames {

	private EnumNames() {
	}

	/**
	 * The name of a constant.
	 * @param value the constant
	 * @return its name in lower case with dashes, such as {@code fixed-window}
	 */
	public static String of(Enum<?> value) {
		return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
