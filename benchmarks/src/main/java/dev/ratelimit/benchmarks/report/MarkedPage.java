package dev.ratelimit.benchmarks.report;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page with blocks that programs write. Each block is between two comments with its
 * name: {@code <!-- table:strict -->} and {@code <!-- end:strict -->}.
 *
 * @param text the text of the page
 */
public record MarkedPage(String text) {

	/**
	 * Replace a block.
	 * @param id the name of the block
	 * @param content the new lines of the block
	 * @return the page with the new block
	 * @throws IllegalArgumentException if there is no such block
	 */
	public MarkedPage with(String id, String content) {
		Matcher block = block(id).matcher(this.text);
		if (!block.find()) {
			throw new IllegalArgumentException(
					"The page has no block <!-- table:%s --> to <!-- end:%s -->".formatted(id, id));
		}
		return new MarkedPage(this.text.substring(0, block.end(1)) + "\n" + content.strip() + "\n\n"
				+ this.text.substring(block.start(2)));
	}

	private static Pattern block(String id) {
		String name = Pattern.quote(id);
		return Pattern.compile("(?s)(<!-- table:" + name + " -->\n).*?(<!-- end:" + name + " -->)");
	}

}
