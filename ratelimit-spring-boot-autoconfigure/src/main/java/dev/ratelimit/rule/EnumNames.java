package dev.ratelimit.rule;

import java.util.Arrays;
import java.util.List;
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

	/**
	 * Return the reason why a text is not a constant of a type.
	 * @param type an enum
	 * @param text the text
	 * @return a clause with the names of all constants and the most similar one
	 */
	public static String reason(Class<?> type, String text) {
		List<String> names = Arrays.stream(type.getEnumConstants()).map((value) -> of((Enum<?>) value)).toList();
		return "it must be one of '" + String.join("', '", names) + "'" + SimilarNames.hint(text, names);
	}

}
