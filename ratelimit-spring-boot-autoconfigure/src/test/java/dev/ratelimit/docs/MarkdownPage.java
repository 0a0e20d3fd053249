package dev.ratelimit.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A page of the documentation with its fenced snippets, links, and sections.
 *
 * @param file the path of the page
 * @param text the text of the page
 */
record MarkdownPage(Path file, String text) {

	private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();

	private static final Pattern FENCE = Pattern.compile("(?ms)^```(\\w*)\\n(.*?)^```$");

	private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s]+)\\)");

	private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");

	static MarkdownPage of(String path) {
		return read(PROJECT.resolve(path));
	}

	// Return the pages in the root directory of the project and all pages below docs.
	static List<MarkdownPage> all() {
		try (Stream<Path> root = Files.list(PROJECT); Stream<Path> docs = Files.walk(PROJECT.resolve("docs"))) {
			Stream<Path> sample = Stream.of(PROJECT.resolve("sample-app").resolve("README.md"));
			return Stream.of(root, docs, sample)
				.flatMap(Function.identity())
				.filter((file) -> file.toString().endsWith(".md"))
				.sorted()
				.map(MarkdownPage::read)
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static MarkdownPage read(Path file) {
		try {
			return new MarkdownPage(file, Files.readString(file));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	List<Snippet> snippets(String language) {
		List<Snippet> snippets = new ArrayList<>();
		Matcher fence = FENCE.matcher(this.text);
		while (fence.find()) {
			if (fence.group(1).equals(language)) {
				int line = 1 + (int) this.text.substring(0, fence.start()).lines().count();
				snippets.add(new Snippet(this + ":" + line, fence.group(2)));
			}
		}
		return snippets;
	}

	List<String> brokenLinks() {
		return links().filter((target) -> !leadsSomewhere(target)).toList();
	}

	// Return the project files that the page links to.
	List<Path> linkedFiles() {
		return links().map(this::linkedFile).distinct().toList();
	}

	String section(String heading) {
		return Stream.of(this.text.split("(?m)^## "))
			.filter((section) -> section.startsWith(heading + "\n"))
			.findFirst()
			.orElseThrow(() -> new AssertionError(this + " has no section '" + heading + "'"));
	}

	@Override
	public String toString() {
		return PROJECT.relativize(this.file).toString();
	}

	private Stream<String> links() {
		return LINK.matcher(prose()).results().map((link) -> link.group(1)).filter((target) -> !target.contains("://"));
	}

	private Path linkedFile(String target) {
		String path = target.replaceFirst("#.*", "");
		return (path.isEmpty()) ? this.file : this.file.resolveSibling(path).normalize();
	}

	private boolean leadsSomewhere(String target) {
		int anchor = target.indexOf('#');
		Path file = linkedFile(target);
		return Files.exists(file) && (anchor < 0 || read(file).anchors().contains(target.substring(anchor + 1)));
	}

	private List<String> anchors() {
		return HEADING.matcher(prose()).results().map(MarkdownPage::anchor).toList();
	}

	private static String anchor(MatchResult heading) {
		return heading.group(1).toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9 _-]", "").replace(' ', '-');
	}

	private String prose() {
		return FENCE.matcher(this.text).replaceAll("");
	}

	/**
	 * A fenced snippet.
	 *
	 * @param place the page and line
	 * @param text the text inside the fence
	 */
	record Snippet(String place, String text) {

		@Override
		public String toString() {
			return this.place;
		}

	}

}
