package dev.ratelimit.record;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares texts with their records. With {@code -Dtest.record=write}, the current texts
 * are recorded.
 */
public final class Recording {

	private static final Path FOLDER = Path.of("src", "test", "resources", "record");

	private Recording() {
	}

	/**
	 * Compare a text with its record.
	 * @param name the name of the file
	 * @param text the current text
	 */
	public static void check(String name, String text) {
		Path file = FOLDER.resolve(name);
		try {
			if ("write".equals(System.getProperty("test.record"))) {
				Files.writeString(file, text);
			}
			assertThat(text).as(name).isEqualTo(Files.readString(file));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return a text without the parts that differ between runs.
	 * @param text the text
	 * @return the text with placeholders
	 */
	static String withoutChance(String text) {
		return text.replaceAll("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z", "<time>")
			.replaceAll("\\b\\d{10,13}\\b", "<epoch>")
			.replaceAll("(Millis|MillisAgo)\":\\d+", "$1\":<millis>")
			.replaceAll("\"id\":\"[0-9a-f]{8}\",\"host\":\"[^\"]*\"", "\"id\":\"<id>\",\"host\":\"<host>\"")
			.replaceAll("\\b[0-9a-f]{8}-[0-9a-f-]{27}\\b", "<uuid>");
	}

}
