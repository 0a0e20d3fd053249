package dev.ratelimit.engine;

import java.math.BigInteger;
import java.util.Locale;
import java.util.regex.Pattern;

import org.springframework.util.StringUtils;

/**
 * One text for all texts that Spring's conversion reads as the same integer or UUID: it
 * ignores white space, a plus sign, leading zeros, and the case of a UUID, and accepts
 * the digits of all scripts and hexadecimal numbers.
 */
final class Spelling {

	private static final Pattern DECIMAL = Pattern.compile("[+-]?\\p{Nd}+");

	// Up to 64 bits: longer texts are no numbers for handlers, but names.
	private static final Pattern HEXADECIMAL = Pattern.compile("-?(?:0[xX]|#)0*[0-9a-fA-F]{1,16}");

	private static final Pattern UUID = Pattern.compile("[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

	private static final int UUID_LENGTH = 36;

	private Spelling() {
	}

	/**
	 * The canonical text.
	 * @param text the text, possibly hostile
	 * @return the integer in decimal digits, or the UUID in lower case; any other text as
	 * it is
	 */
	static String canonical(String text) {
		if (text.length() == UUID_LENGTH && UUID.matcher(text).matches()) {
			return text.toLowerCase(Locale.ROOT);
		}
		if (isCommon(text)) {
			return text;
		}
		String bare = StringUtils.trimAllWhitespace(text);
		if (DECIMAL.matcher(bare).matches()) {
			return decimal(bare);
		}
		return (HEXADECIMAL.matcher(bare).matches()) ? hexadecimal(bare) : text;
	}

	// A name that begins with a letter, or a number without leading zeros: this is all
	// that nearly all requests cost.
	private static boolean isCommon(String text) {
		char first = (text.isEmpty()) ? 'a' : text.charAt(0);
		if ((first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z')) {
			return true;
		}
		if (first == '0' && text.length() > 1) {
			return false;
		}
		for (int i = 0; i < text.length(); i++) {
			if (text.charAt(i) < '0' || text.charAt(i) > '9') {
				return false;
			}
		}
		return true;
	}

	private static String decimal(String number) {
		StringBuilder digits = new StringBuilder(number.length());
		number.codePoints()
			.filter(Character::isDigit)
			.map((digit) -> Character.digit(digit, 10))
			.filter((digit) -> digit != 0 || !digits.isEmpty())
			.forEach(digits::append);
		if (digits.isEmpty()) {
			return "0";
		}
		return (number.charAt(0) == '-') ? digits.insert(0, '-').toString() : digits.toString();
	}

	private static String hexadecimal(String number) {
		boolean negative = number.charAt(0) == '-';
		int begin = ((negative) ? 1 : 0) + ((number.indexOf('#') >= 0) ? 1 : 2);
		BigInteger value = new BigInteger(number.substring(begin), 16);
		return ((negative) ? value.negate() : value).toString();
	}

}
