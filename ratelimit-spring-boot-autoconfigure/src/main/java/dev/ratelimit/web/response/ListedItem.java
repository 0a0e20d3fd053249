package dev.ratelimit.web.response;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An item of a list of named policies that somebody else has written (RFC 9651), read as
 * far as it takes to tell it from ours. Immutable.
 *
 * @param text the whole item
 * @param remaining what remains, or the greatest number if it does not say so
 */
record ListedItem(String text, long remaining) {

	/** A name in quotes and what follows it up to a comma that is not in quotes. */
	private static final Pattern ITEM = Pattern
		.compile("\\s*+(\"(?:[^\"\\\\]|\\\\.)*+\")((?:[^\",]|\"(?:[^\"\\\\]|\\\\.)*+\")*+)(?:,|$)");

	private static final Pattern REMAINING = Pattern.compile(";\\s*r=(\\d{1,15})");

	/**
	 * Read a list.
	 * @param list the field's value
	 * @return the items by their names in quotes, in their order; empty if this is no
	 * such list
	 */
	static Optional<Map<String, ListedItem>> parse(String list) {
		Map<String, ListedItem> items = new LinkedHashMap<>();
		Matcher item = ITEM.matcher(list);
		int end = 0;
		while (end < list.length()) {
			// Nothing is looked for further on, which would take a hostile list's square.
			if (!item.region(end, list.length()).lookingAt()) {
				return Optional.empty();
			}
			String parameters = item.group(2).stripTrailing();
			items.put(item.group(1), new ListedItem(item.group(1) + parameters, remaining(parameters)));
			end = item.end();
		}
		return Optional.of(items);
	}

	private static long remaining(String parameters) {
		Matcher remaining = REMAINING.matcher(parameters);
		return (remaining.find()) ? Long.parseLong(remaining.group(1)) : Long.MAX_VALUE;
	}

}
