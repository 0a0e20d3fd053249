package dev.ratelimit.web.response;

import java.util.List;
import java.util.Locale;
import java.util.Locale.LanguageRange;

import dev.ratelimit.RequestView;

/**
 * The language that a request asks for.
 */
final class Languages {

	/** Browsers send less than a hundred characters. */
	private static final int LONGEST = 256;

	private Languages() {
	}

	/**
	 * The language that is preferred.
	 * @param request the request
	 * @return the first of {@code Accept-Language}, or that of this machine where the
	 * header is absent or cannot be read
	 */
	static Locale preferred(RequestView request) {
		String header = String.join(",", request.headers("Accept-Language"));
		return (header.isBlank() || header.length() > LONGEST) ? Locale.getDefault() : read(header);
	}

	private static Locale read(String header) {
		try {
			List<LanguageRange> ranges = LanguageRange.parse(header);
			String first = ranges.get(0).getRange();
			return (first.startsWith("*") || ranges.get(0).getWeight() == 0) ? Locale.getDefault()
					: Locale.forLanguageTag(first);
		}
		catch (IllegalArgumentException | IndexOutOfBoundsException ex) {
			// What cannot be read asks for nothing. The JDK's reader does not always say
			// so by the exception it promises.
			return Locale.getDefault();
		}
	}

}
