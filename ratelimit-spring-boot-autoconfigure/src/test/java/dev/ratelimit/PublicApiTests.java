package dev.ratelimit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.record.Recording;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the public API matches the list in CONTRIBUTING.
 */
class PublicApiTests {

	private static final Path SOURCES = Path.of("src", "main", "java");

	private static final Pattern ROW = Pattern.compile("(?m)^\\| `(dev\\.ratelimit[.\\w]*)` \\| (.+) \\| (\\w+) \\|$");

	private static final Pattern NAME = Pattern.compile("`([\\w*]+)`");

	private static final Pattern DECLARATION = Pattern.compile(
			"(?m)^public (?:(?:abstract|final|sealed|non-sealed|strictfp) )*(?:class|interface|record|enum|@interface)"
					+ " (\\w+)");

	private final List<Listed> list = list();

	private final List<PublicType> types = types();

	@Test
	void listNamesWhatThereIs() {
		assertThat(this.list).hasSizeGreaterThan(5)
			.allSatisfy((listed) -> assertThat(listed.names()).allSatisfy((name) -> assertThat(this.types)
				.anyMatch((type) -> listed.holds(type) && type.name().matches(name.replace("*", ".*")))));
	}

	@Test
	void listedTypesHaveSinceTag() {
		assertThat(api()).hasSizeGreaterThan(40).allSatisfy((type) -> {
			assertThat(type.javadoc()).as(type.qualified()).contains("\n * @since ");
			assertThat(type.javadoc()).as(type.qualified()).doesNotContain("Internal:");
		});
	}

	@Test
	void experimentalTypesAreMarkedInJavadoc() {
		assertThat(api()).allSatisfy((type) -> assertThat(type.javadoc().contains("Experimental:")).as(type.qualified())
			.isEqualTo(listed(type).stream().anyMatch((listed) -> listed.stability().equals("experimental"))));
	}

	@Test
	void unlistedTypesAreMarkedInternal() {
		assertThat(this.types).filteredOn((type) -> listed(type).isEmpty())
			.hasSizeGreaterThan(50)
			.allSatisfy((type) -> {
				assertThat(type.javadoc()).as(type.qualified()).startsWith("/**\n * Internal: ");
				assertThat(type.source()).as(type.qualified()).doesNotContain("@since");
			});
	}

	@Test
	void signaturesMentionNothingInternal() throws ClassNotFoundException {
		Set<String> names = new HashSet<>(api().stream().map(PublicType::qualified).toList());
		for (PublicType type : api()) {
			Class<?> loaded = Class.forName(type.qualified(), false, getClass().getClassLoader());
			assertThat(mentioned(loaded)).as(type.qualified()).isSubsetOf(names);
		}
	}

	/**
	 * Compares the API with a record that shows all changes, because there is no release
	 * yet.
	 */
	@Test
	void signaturesAreWhatTheyWere() throws ClassNotFoundException {
		StringBuilder text = new StringBuilder();
		for (String name : api().stream().map(PublicType::qualified).sorted().toList()) {
			append(text, Class.forName(name, false, getClass().getClassLoader()));
		}
		Recording.check("api.txt", text.toString());
	}

	private static void append(StringBuilder text, Class<?> type) {
		if (!isReachable(type.getModifiers())) {
			return;
		}
		Type superclass = type.getGenericSuperclass();
		// Only later versions of Java print "sealed".
		text.append((type.isSealed()) ? "sealed " : "")
			.append(type.toGenericString().replaceAll("(non-)?sealed ", ""))
			.append((superclass == null || superclass == Object.class) ? "" : " extends " + superclass.getTypeName())
			.append(Stream.of(type.getGenericInterfaces())
				.map(Type::getTypeName)
				.collect(Collectors.joining(", ", " implements ", ""))
				.replaceFirst(" implements $", ""))
			.append('\n');
		Stream
			.of(Stream.of(type.getDeclaredFields()).filter(PublicApiTests::isReachable).map(Field::toGenericString),
					Stream.of(type.getDeclaredConstructors())
						.filter(PublicApiTests::isReachable)
						.map(Constructor::toGenericString),
					Stream.of(type.getDeclaredMethods())
						.filter((method) -> isReachable(method) && !method.isSynthetic())
						.map(PublicApiTests::describe))
			.flatMap((members) -> members)
			.sorted()
			.forEach((member) -> text.append("\t").append(member).append('\n'));
		Stream.of(type.getDeclaredClasses())
			.sorted(Comparator.comparing(Class::getName))
			.forEach((nested) -> append(text, nested));
	}

	private static String describe(Method method) {
		Object value = method.getDefaultValue();
		if (value == null) {
			return method.toGenericString();
		}
		return method.toGenericString() + " default "
				+ ((value instanceof Object[] values) ? Arrays.toString(values) : value);
	}

	private static boolean isReachable(int modifiers) {
		return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
	}

	private List<PublicType> api() {
		return this.types.stream().filter((type) -> !listed(type).isEmpty()).toList();
	}

	private List<Listed> listed(PublicType type) {
		return this.list.stream().filter((listed) -> listed.names(type)).toList();
	}

	private static Set<String> mentioned(Class<?> type) {
		Set<String> found = new HashSet<>();
		if (!Modifier.isPublic(type.getModifiers())) {
			return found;
		}
		List<Type> signatures = new ArrayList<>(Arrays.asList(type.getGenericInterfaces()));
		if (type.getGenericSuperclass() != null) {
			signatures.add(type.getGenericSuperclass());
		}
		Stream.of(type.getDeclaredMethods())
			.filter((method) -> isReachable(method) && !method.isSynthetic())
			.forEach((method) -> signatures.addAll(signature(method)));
		Stream.of(type.getDeclaredConstructors())
			.filter(PublicApiTests::isReachable)
			.map(Constructor::getGenericParameterTypes)
			.forEach((parameters) -> signatures.addAll(Arrays.asList(parameters)));
		Stream.of(type.getDeclaredFields())
			.filter(PublicApiTests::isReachable)
			.map(Field::getGenericType)
			.forEach(signatures::add);
		signatures.forEach((signature) -> collect(signature, found));
		Stream.of(type.getDeclaredClasses()).forEach((nested) -> found.addAll(mentioned(nested)));
		return found;
	}

	private static boolean isReachable(Member member) {
		return isReachable(member.getModifiers());
	}

	private static List<Type> signature(Method method) {
		List<Type> signature = new ArrayList<>(Arrays.asList(method.getGenericParameterTypes()));
		signature.add(method.getGenericReturnType());
		return signature;
	}

	private static void collect(Type type, Set<String> found) {
		if (type instanceof ParameterizedType generic) {
			collect(generic.getRawType(), found);
			Stream.of(generic.getActualTypeArguments()).forEach((argument) -> collect(argument, found));
		}
		else if (type instanceof WildcardType wildcard) {
			Stream.of(wildcard.getUpperBounds()).forEach((bound) -> collect(bound, found));
			Stream.of(wildcard.getLowerBounds()).forEach((bound) -> collect(bound, found));
		}
		else if (type instanceof GenericArrayType array) {
			collect(array.getGenericComponentType(), found);
		}
		else if (type instanceof Class<?> plain) {
			Class<?> element = (plain.isArray()) ? plain.getComponentType() : plain;
			if (element.getName().startsWith("dev.ratelimit.")) {
				found.add(outermost(element).getName());
			}
		}
	}

	private static Class<?> outermost(Class<?> type) {
		return (type.getEnclosingClass() != null) ? outermost(type.getEnclosingClass()) : type;
	}

	private static List<Listed> list() {
		return ROW.matcher(section())
			.results()
			.map((row) -> new Listed(row.group(1),
					NAME.matcher(row.group(2)).results().map((name) -> name.group(1)).toList(), row.group(3)))
			.toList();
	}

	private static String section() {
		String text = read(Path.of("..", "CONTRIBUTING.md"));
		int start = text.indexOf("\n## Public API\n");
		return text.substring(start, text.indexOf("\n## ", start + 1));
	}

	private static List<PublicType> types() {
		try (Stream<Path> files = Files.walk(SOURCES)) {
			return files.filter((file) -> file.toString().endsWith(".java"))
				.flatMap((file) -> PublicType.in(file).stream())
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * A row of the list.
	 *
	 * @param packageName the package; {@code dev.ratelimit..} for all packages
	 * @param names the names of types, with {@code *} for any text; empty for all types
	 * @param stability the stability in the row
	 */
	private record Listed(String packageName, List<String> names, String stability) {

		boolean holds(PublicType type) {
			return this.packageName.endsWith("..") || type.packageName().equals(this.packageName);
		}

		boolean names(PublicType type) {
			return holds(type) && (this.names.isEmpty()
					|| this.names.stream().anyMatch((name) -> type.name().matches(name.replace("*", ".*"))));
		}

	}

	/**
	 * A public top-level type.
	 *
	 * @param packageName the package
	 * @param name the simple name
	 * @param javadoc the Javadoc
	 * @param source the source code
	 */
	private record PublicType(String packageName, String name, String javadoc, String source) {

		static List<PublicType> in(Path file) {
			String source = read(file);
			Matcher declaration = DECLARATION.matcher(source);
			if (!declaration.find()) {
				return List.of();
			}
			int start = source.lastIndexOf("/**", declaration.start());
			String javadoc = source.substring(start, source.indexOf("*/", start));
			String packageName = SOURCES.relativize(file.getParent())
				.toString()
				.replace(file.getFileSystem().getSeparator(), ".");
			return List.of(new PublicType(packageName, declaration.group(1), javadoc, source));
		}

		String qualified() {
			return this.packageName + "." + this.name;
		}

		@Override
		public String toString() {
			return qualified();
		}

	}

}
