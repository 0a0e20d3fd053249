package dev.ratelimit.docs;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the documentation, the comments of all modules, the web pages, and the
 * messages of the library do not contain words that the glossary in
 * {@code CONTRIBUTING.md} retires.
 */
class RetiredWordsTests {

	private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();

	private static final Path LIBRARY = Path.of("ratelimit-spring-boot-autoconfigure", "src", "main");

	private static final List<String> MODULES = List.of("ratelimit-spring-boot-autoconfigure",
			"ratelimit-spring-boot-starter", "benchmarks", "sample-app");

	/** In tests, only comments are checked, because literals are test data. */
	private static final Pattern SOURCE = Pattern
		.compile("/src/(main|test)/.*\\.(java|kt)$|/src/main/.*\\.(lua|properties|ya?ml|html|js|json)$");

	private static final Pattern CODE = Pattern.compile("(?ms)^ *```.*?^ *```$|`[^`\\n]*`|\\]\\([^)\\s]+\\)");

	private static final Pattern GLOSSARY = Pattern.compile("(?ms)^## Language$.*?(?=^## )");

	/**
	 * Literals and comments are matched together, so that neither is found inside the
	 * other.
	 */
	private static final Pattern TOKEN = Pattern
		.compile("\"\"\"(?s:.*?)\"\"\"|\"(?:[^\"\\\\\\n]|\\\\.)*\"|'\"'" + "|`[^`]*`|/\\*(?s:.*?)\\*/|//[^\\n]*");

	/** The markup of comments, and the names in them. */
	private static final Pattern MARKUP = Pattern
		.compile("(?m)^\\s*\\*|^/\\*+|\\*/$|//|\\{@\\w+[^}]*\\}" + "|(?<=@param\\s)\\s*\\S+|@(?:see|throws)\\s+\\S+");

	/** The beginning of Javadoc without a noun or a verb. */
	private static final Pattern QUESTION = Pattern
		.compile("^/\\*\\*[\\s*]*(?:Internal: )?(what|how|where|who|whose|which)\\b", Pattern.CASE_INSENSITIVE);

	private static final Pattern UNNAMED = Pattern.compile("\\bwhat\\b", Pattern.CASE_INSENSITIVE);

	private static final Pattern LUA = Pattern.compile("--[^\\n]*");

	private static final Pattern PROPERTIES = Pattern.compile("(?m)(?:^|(?<=\\s))#[^\\n]*");

	private static final Pattern TAG = Pattern
		.compile("(?s)<!--.*?-->|<script\\b.*?</script>|<style\\b.*?</style>|<code\\b[^>]*>.*?</code>|<[a-z/!][^>]*>");

	/** The retired words by their replacements. */
	private static final Map<String, String> RETIRED = retired();

	/** All words, with one group per entry, so that a text is read once. */
	private static final Pattern WORD = Pattern.compile(RETIRED.values()
		.stream()
		.map((words) -> "(" + words.replace(" ", "\\s{1,20}").replaceAll("\\((?!\\?)", "(?:") + ")")
		.collect(Collectors.joining("|", "\\b(?:", ")\\b")), Pattern.CASE_INSENSITIVE);

	private static Map<String, String> retired() {
		Map<String, String> words = new LinkedHashMap<>();
		// The key 'caller' is allowed in quotes and in the list of keys.
		words.put("client, or calling code", "(?<!')callers?\\b(?!, user)");
		words.put("reject, rejection", "(?<!connections )refus(e|es|ed|ing|als?)");
		words.put("allow", "admit(s|ted|ting)?|admissions?");
		words.put("key, or subject", "whose bucket|(?<=@param\\s{1,60})whose|whose (it|they)");
		words.put("apply", "go(es)? by (its|their)");
		words.put("show, distinguish, or notify", "tell(s|ing)?|told");
		words.put("call, read, or request", "(un)?ask(s|ed|ing)?");
		words.put("active", "in force");
		words.put("concurrent requests", "under way");
		words.put("lease, return", "borrow(s|ed|ing)?|lends?|lent|lending|loans?");
		words.put("refund, return, or free", "(giv(e|es|en|ing)|gave) (\\w+ ){0,3}back");
		words.put("is available again", "works again");
		words.put("all instances", "fleets?");
		words.put("fix", "mend(s|ed|ing)?");
		words.put("reset", "afresh");
		words.put("fails to start", "fails the start");
		words.put("a noun", "who(m|ever)?|(no|any|some|every)body");
		words.put("American English", "honour\\w*|recognis\\w+|misspelt|licences?|behaviours?");
		return words;
	}

	static List<MarkdownPage> pages() {
		return MarkdownPage.all();
	}

	@ParameterizedTest
	@MethodSource("pages")
	void pageHasNone(MarkdownPage page) {
		assertThat(found(PROJECT.relativize(page.file().normalize()), page.text())).isEmpty();
	}

	@Test
	void sourcesHaveNone() throws IOException {
		List<String> found = new ArrayList<>();
		for (Path file : sources()) {
			found.addAll(found(PROJECT.relativize(file), Files.readString(file)));
		}
		assertThat(found).isEmpty();
	}

	@Test
	void wordIsFoundAndNamedWithTheOneToUse() {
		assertThat(found("page.md", "It works.\nThe fleet refuses callers.")).containsExactly(
				"page.md:2: 'fleet' is retired, use: all instances",
				"page.md:2: 'refuses' is retired, use: reject, rejection",
				"page.md:2: 'callers' is retired, use: client, or calling code");
		assertThat(found("page.md", "The key `caller`.\n```\nfleet\n```\n")).isEmpty();
	}

	@Test
	void wordIsFoundInJavadoc() {
		assertThat(found("Some.java", "/**\n * Gives units\n * back.\n * @param owner whose\n */")).containsExactly(
				"Some.java:2: 'Gives units back' is retired, use: refund, return, or free",
				"Some.java:4: 'whose' is retired, use: key, or subject");
		assertThat(found("Some.java", "/**\n * A {@code fleet}.\n * @param told the time\n * @throws Asked never\n */"))
			.isEmpty();
	}

	@Test
	void javadocOfTheLibraryBeginsWithTheThing() throws IOException {
		List<String> questions = new ArrayList<>();
		for (Path file : sources()) {
			if (file.startsWith(PROJECT.resolve(LIBRARY)) && file.toString().endsWith(".java")) {
				questions.addAll(questions(PROJECT.relativize(file).toString(), Files.readString(file)));
			}
		}
		assertThat(questions).isEmpty();
	}

	@Test
	void questionIsFoundInJavadoc() {
		assertThat(questions("Some.java", "/** The rule. */\n/**\n * Internal: where rules\n * are. How many.\n */"))
			.containsExactly("Some.java:2: the first sentence begins with 'where', begin with a noun or a verb");
	}

	private static List<String> questions(String name, String code) {
		return TOKEN.matcher(code)
			.results()
			.flatMap((token) -> QUESTION.matcher(token.group())
				.results()
				.map((question) -> name + ":" + line(code, token.start()) + ": the first sentence begins with '"
						+ question.group(1) + "', begin with a noun or a verb"))
			.toList();
	}

	@Test
	void commentsNameTheThing() throws IOException {
		List<String> unnamed = new ArrayList<>();
		for (Path file : sources()) {
			if (file.toString().endsWith(".java")) {
				unnamed.addAll(unnamed(PROJECT.relativize(file).toString(), Files.readString(file)));
			}
		}
		assertThat(unnamed).isEmpty();
	}

	@Test
	void commentThatNamesNoThingIsFound() {
		assertThat(unnamed("Some.java", "int what = 1; // what is left\n/** @param what the rest */ \"what\""))
			.containsExactly("Some.java:1: 'what' in a comment, use a noun");
	}

	private static List<String> unnamed(String name, String code) {
		return TOKEN.matcher(code)
			.results()
			.filter((token) -> token.group().startsWith("/"))
			.filter((token) -> UNNAMED.matcher(MARKUP.matcher(token.group()).replaceAll(" ")).find())
			.map((token) -> name + ":" + line(code, token.start()) + ": 'what' in a comment, use a noun")
			.toList();
	}

	@Test
	void wordIsFoundInLineComment() {
		assertThat(found("Some.java", "int told = 1; // Nobody\n// mends it.")).containsExactly(
				"Some.java:1: 'Nobody' is retired, use: a noun", "Some.java:2: 'mends' is retired, use: fix");
		assertThat(found("some.lua", "local told = 1 -- told")).hasSize(1);
		assertThat(found("some.yaml", "told: 1 # told")).hasSize(1);
	}

	@Test
	void wordIsFoundInLiteralOfTheLibraryOnly() {
		String code = "log(\"It is told\"); log(\"told\");";
		assertThat(found(LIBRARY.resolve("Some.java"), code)).hasSize(1);
		assertThat(found("Some.java", code)).isEmpty();
	}

	@Test
	void wordIsFoundInTextOfWebPage() {
		assertThat(found("page.html",
				"<p id=\"told\" title=\"Tell it\">Ask</p><code>fleet</code>\n"
						+ "<script>let told = \"told\"; // afresh\nsay(`Whoever comes`); say(\"in force\");</script>"))
			.containsExactly("page.html:1: 'Tell' is retired, use: show, distinguish, or notify",
					"page.html:1: 'Ask' is retired, use: call, read, or request",
					"page.html:2: 'afresh' is retired, use: reset", "page.html:3: 'Whoever' is retired, use: a noun",
					"page.html:3: 'in force' is retired, use: active");
	}

	private static List<String> found(String name, String content) {
		return found(Path.of(name), content);
	}

	private static List<String> found(Path name, String content) {
		String texts = texts(name, content);
		return WORD.matcher(texts)
			.results()
			.map((match) -> name + ":" + line(texts, match.start()) + ": '" + match.group().replaceAll("\\s+", " ")
					+ "' is retired, use: " + instead(match))
			.toList();
	}

	private static String instead(MatchResult match) {
		int group = 1;
		for (String instead : RETIRED.keySet()) {
			if (match.group(group++) != null) {
				return instead;
			}
		}
		throw new IllegalStateException(match.group());
	}

	private static String texts(Path file, String content) {
		boolean main = file.startsWith(LIBRARY);
		String name = file.getFileName().toString();
		return switch (name.substring(name.lastIndexOf('.') + 1)) {
			case "md" -> blank(GLOSSARY, blank(CODE, content));
			case "java", "kt" -> texts(content, main);
			case "js", "json" -> texts(content, true);
			case "lua" -> only(LUA, content, UnaryOperator.identity());
			case "properties", "yml", "yaml" -> only(PROPERTIES, content, UnaryOperator.identity());
			case "html" -> TAG.matcher(content).replaceAll((tag) -> Matcher.quoteReplacement(textsOfTag(tag.group())));
			default -> "";
		};
	}

	// Attributes with a space are texts.
	private static String textsOfTag(String tag) {
		if (tag.startsWith("<!--")) {
			return tag;
		}
		return (tag.startsWith("<style") || tag.startsWith("<code")) ? blank(tag) : texts(tag, true);
	}

	// Literals without a space are identifiers, such as a Redis key or an outcome.
	private static String texts(String code, boolean literals) {
		return only(TOKEN, code, (token) -> {
			if (token.startsWith("/")) {
				return blank(MARKUP, token);
			}
			return (literals && !token.startsWith("'") && token.contains(" ")) ? token : blank(token);
		});
	}

	private static String only(Pattern pattern, String content, UnaryOperator<String> text) {
		StringBuilder only = new StringBuilder(blank(content));
		pattern.matcher(content)
			.results()
			.forEach((match) -> only.replace(match.start(), match.end(), text.apply(match.group())));
		return only.toString();
	}

	private static String blank(Pattern pattern, String text) {
		return pattern.matcher(text).replaceAll((match) -> blank(match.group()));
	}

	private static String blank(String text) {
		StringBuilder blank = new StringBuilder(text);
		for (int i = 0; i < blank.length(); i++) {
			if (blank.charAt(i) != '\n') {
				blank.setCharAt(i, ' ');
			}
		}
		return blank.toString();
	}

	private static long line(String text, int position) {
		return 1 + text.substring(0, position).chars().filter((character) -> character == '\n').count();
	}

	private static List<Path> sources() throws IOException {
		List<Path> sources = new ArrayList<>();
		for (String module : MODULES) {
			Files.walkFileTree(PROJECT.resolve(module), new SimpleFileVisitor<>() {

				@Override
				public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
					return directory.endsWith("target") ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
				}

				@Override
				public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
					if (SOURCE.matcher(file.toString()).find()) {
						sources.add(file);
					}
					return FileVisitResult.CONTINUE;
				}

			});
		}
		sources.sort(null);
		return sources;
	}

}
