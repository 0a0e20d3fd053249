package dev.ratelimit.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import dev.ratelimit.autoconfigure.BoundRuleReader;
import dev.ratelimit.live.RuleDiff;
import dev.ratelimit.rule.Origin;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleDefinition;
import dev.ratelimit.rule.RuleDescription;
import dev.ratelimit.rule.RuleLayer;
import dev.ratelimit.rule.RuleLayers;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.rule.WrittenRule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the example in CONTRIBUTING.md that adds an option to rules: applies it to the
 * sources, compiles it, and uses the option.
 */
class OptionExampleTests {

	private static final Path ROOT = Path.of("..");

	private static final Pattern BLOCK = Pattern.compile("   ```diff\n   --- (\\S+)\n(.*?)   ```\n", Pattern.DOTALL);

	@TempDir
	private Path directory;

	@Test
	void theExampleAddsAnOptionByAtMostFourFiles() throws Exception {
		String section = MarkdownPage.of("CONTRIBUTING.md").section("Add an option of a rule");
		Map<Path, String> changed = new LinkedHashMap<>();
		Matcher block = BLOCK.matcher(section);
		while (block.find()) {
			Path file = Path.of(block.group(1));
			changed.put(file, applied(Files.readString(ROOT.resolve(file)), block.group(2)));
		}
		assertThat(section).contains("`docs/ratelimit.schema.json`");
		assertThat(changed.size() + 1).isLessThanOrEqualTo(4);
		compile(changed);
		assertThat(used()).containsOnly(Map.entry("endpoint", "team-a"),
				Map.entry("changes", "search.owner (none) -> team-a"), Map.entry("inherited", "team-b"),
				Map.entry("digest", "differs"));
	}

	// Context lines and removed lines must occur exactly once, in this order.
	private static String applied(String text, String diff) {
		List<String> lines = new ArrayList<>(text.lines().toList());
		int from = 0;
		for (String line : diff.lines().map((indented) -> indented.substring(3)).toList()) {
			String content = line.substring(1);
			if (line.startsWith("+")) {
				lines.add(from++, content);
			}
			else {
				List<String> rest = lines.subList(from, lines.size());
				assertThat(rest).as("the lines of the example").contains(content);
				from += rest.indexOf(content);
				if (line.startsWith("-")) {
					lines.remove(from);
				}
				else {
					from++;
				}
			}
		}
		return String.join("\n", lines) + "\n";
	}

	private void compile(Map<Path, String> changed) throws IOException {
		List<Path> sources = new ArrayList<>();
		for (Map.Entry<Path, String> file : changed.entrySet()) {
			if (file.getKey().toString().endsWith(".java")) {
				Path source = this.directory.resolve(file.getKey().getFileName());
				sources.add(Files.writeString(source, file.getValue()));
			}
		}
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
			boolean compiled = compiler
				.getTask(null, files, null, List.of("-proc:none", "-parameters", "-d", this.directory.toString()), null,
						files.getJavaFileObjectsFromPaths(sources))
				.call();
			assertThat(compiled).isTrue();
		}
	}

	@SuppressWarnings("unchecked")
	private Map<String, String> used() throws Exception {
		URL[] urls = Stream.concat(Stream.of(this.directory.toUri()),
				Arrays.stream(System.getProperty("java.class.path").split(java.io.File.pathSeparator))
					.map((entry) -> Path.of(entry).toUri()))
			.map((uri) -> {
				try {
					return uri.toURL();
				}
				catch (MalformedURLException ex) {
					throw new UncheckedIOException(ex);
				}
			})
			.toArray(URL[]::new);
		try (ChangedClasses classes = new ChangedClasses(urls)) {
			Class<?> use = classes.loadClass(UseOfTheOption.class.getName());
			return ((Supplier<Map<String, String>>) use.getDeclaredConstructor().newInstance()).get();
		}
	}

	/** Loads all classes of this library again. Changed classes take precedence. */
	private static final class ChangedClasses extends URLClassLoader {

		ChangedClasses(URL[] urls) {
			super(urls, OptionExampleTests.class.getClassLoader());
		}

		@Override
		protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			if (!name.startsWith("dev.ratelimit.")) {
				return super.loadClass(name, resolve);
			}
			synchronized (getClassLoadingLock(name)) {
				Class<?> loaded = findLoadedClass(name);
				return (loaded != null) ? loaded : findClass(name);
			}
		}

	}

	/** Uses the option in the changed classes. The classes of the test do not have it. */
	public static final class UseOfTheOption implements Supplier<Map<String, String>> {

		@Override
		public Map<String, String> get() {
			Rule without = rule(Map.of());
			Rule with = rule(Map.of("owner", "team-a"));
			return Map.of("endpoint", String.valueOf(RuleDescription.of(with).get("owner")), "changes",
					RuleDiff.line(RuleDiff.between(Map.of("search", without), Map.of("search", with))), "inherited",
					String.valueOf(
							RuleDescription.of(rule(Map.of("owner", "team-b"), Map.of("status", 503))).get("owner")),
					"digest", (digest(with).equals(digest(without))) ? "is equal" : "differs");
		}

		private static String digest(Rule rule) {
			return RuleSet.of(1, List.of(rule)).digest();
		}

		@SafeVarargs
		private static Rule rule(Map<String, Object>... layers) {
			RuleDefinition limited = definition(Map.of("limit", "5/s", "paths", List.of("/search")));
			List<RuleLayer> all = new ArrayList<>(List.of(layer(Origin.Kind.ANNOTATION, limited)));
			for (Map<String, Object> layer : layers) {
				all.add(layer(Origin.Kind.PROPERTY, definition(layer)));
			}
			return new RuleLayers(RuleDefinition.EMPTY, all).rules((warning) -> {
			}).get(0);
		}

		private static RuleDefinition definition(Map<String, Object> entry) {
			return (entry.isEmpty()) ? RuleDefinition.EMPTY : new BoundRuleReader().read("search", entry);
		}

		private static RuleLayer layer(Origin.Kind kind, RuleDefinition definition) {
			return new RuleLayer(kind, Map.of("search", new WrittenRule("search", definition, Optional.empty())));
		}

	}

}
