package dev.ratelimit.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Keeps the words that the glossary in {@code CONTRIBUTING.md} retires out of the
 * documentation and out of the texts in the code.
 */
class RetiredWordsTests {

	private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();

	private static final Path MAIN = Path.of("src", "main");

	private static final Pattern CODE = Pattern.compile("(?ms)^ *```.*?^ *```$|`[^`\\n]*`|\\]\\([^)\\s]+\\)");

	private static final Pattern GLOSSARY = Pattern.compile("(?ms)^## Language$.*?(?=^## )");

	/** Comments are matched too, and so are not searched for literals. */
	private static final Pattern TOKEN = Pattern
		.compile("\"\"\"(?s:.*?)\"\"\"|\"(?:[^\"\\\\\\n]|\\\\.)*\"|'\"'|/\\*(?s:.*?)\\*/|//[^\\n]*");

	/** Words by what to use instead. */
	private static final Map<String, Pattern> RETIRED = retired();

	private static Map<String, Pattern> retired() {
		Map<String, String> words = new LinkedHashMap<>();
		// The key of this name is quoted, or stands in the list of keys.
		words.put("client", "(?<!')callers?\\b(?!'|, user)");
		words.put("reject, rejection", "(?<!connections )refus(e|es|ed|ing|als?)");
		words.put("allow", "admit(s|ted|ting)?");
		words.put("key, or subject", "whose bucket");
		words.put("apply", "go(es)? by (its|their)");
		words.put("call Redis", "asks? Redis");
		words.put("active", "in force");
		words.put("concurrent requests", "under way");
		words.put("lease, return", "borrow(s|ed|ing)?|lends?|lent|lending|loans?");
		words.put("refund", "giv(e|es|en|ing) back");
		words.put("is available again", "works again");
		words.put("all instances", "fleets?");
		words.put("fix", "mend(s|ed|ing)?");
		words.put("reset", "afresh");
		words.put("fails to start", "fails the start");
		words.put("identify", "tells? .{0,20}apart|told apart");
		words.put("the subject of the sentence", "nobody|anybody|whoever");
		words.put("American English", "honour\\w*|recognis\\w+|misspelt|licences?|behaviours?");
		Map<String, Pattern> patterns = new LinkedHashMap<>();
		words.forEach((instead, word) -> patterns.put(instead,
				Pattern.compile("\\b(?:" + word + ")\\b", Pattern.CASE_INSENSITIVE)));
		return patterns;
	}

	// Decisions and changes are records of their time.
	static Stream<MarkdownPage> pages() {
		return MarkdownPage.all()
			.stream()
			.filter((page) -> !page.file().getParent().endsWith("decisions"))
			.filter((page) -> !page.file().endsWith("CHANGELOG.md"));
	}

	static Stream<Path> sources() throws IOException {
		try (Stream<Path> files = Files.walk(MAIN)) {
			return files.filter((file) -> file.toString().matches(".*\\.(java|json)")).sorted().toList().stream();
		}
	}

	@ParameterizedTest
	@MethodSource("pages")
	void pageHasNone(MarkdownPage page) {
		String text = blank(GLOSSARY, blank(CODE, page.text()));
		assertThat(found(PROJECT.relativize(page.file().normalize()), text)).isEmpty();
	}

	@Test
	void textsOfTheCodeHaveNone() throws IOException {
		assertThat(sources().flatMap((file) -> found(file, texts(file)).stream())).isEmpty();
	}

	@Test
	void wordIsFoundAndNamedWithTheOneToUse() {
		assertThat(found(Path.of("page"), "It works.\nThe fleet refuses callers.")).containsExactly(
				"page:2: 'callers' is retired, use: client", "page:2: 'refuses' is retired, use: reject, rejection",
				"page:2: 'fleet' is retired, use: all instances");
		assertThat(found(Path.of("page"), blank(CODE, "The key `caller`.\n```\nfleet\n```\n"))).isEmpty();
	}

	private static List<String> found(Path file, String text) {
		List<String> found = new ArrayList<>();
		RETIRED.forEach((instead, word) -> word.matcher(text)
			.results()
			.forEach((match) -> found.add(
					file + ":" + line(text, match.start()) + ": '" + match.group() + "' is retired, use: " + instead)));
		return found;
	}

	// What has no space is an identifier, such as a key of Redis or an outcome.
	private static String texts(Path file) {
		String code = read(file);
		StringBuilder texts = new StringBuilder(code.replaceAll("[^\\n]", " "));
		Matcher token = TOKEN.matcher(code);
		while (token.find()) {
			if (token.group().startsWith("\"") && token.group().contains(" ")) {
				texts.replace(token.start(), token.end(), token.group());
			}
		}
		return texts.toString();
	}

	private static String blank(Pattern pattern, String text) {
		return pattern.matcher(text).replaceAll((match) -> match.group().replaceAll("[^\\n]", " "));
	}

	private static long line(String text, int position) {
		return 1 + text.substring(0, position).chars().filter((character) -> character == '\n').count();
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
