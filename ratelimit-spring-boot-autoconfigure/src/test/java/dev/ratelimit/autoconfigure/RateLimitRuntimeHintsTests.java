package dev.ratelimit.autoconfigure;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import dev.ratelimit.RateLimited;
import dev.ratelimit.client.ClientProperties;
import dev.ratelimit.test.PropertyTypes;
import jakarta.servlet.http.HttpServletRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;
import org.springframework.core.ResolvableType;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;

class RateLimitRuntimeHintsTests {

	private static final Expiry<Object, Object> EXPIRY = Expiry.writing((key, value) -> Duration.ofSeconds(1));

	private static final Pattern BUILDER = Pattern.compile("Caffeine\\.newBuilder\\(\\)[^;]*\\.build\\(");

	private static final Pattern METHOD = Pattern
		.compile("\\.(maximumSize|maximumWeight|expireAfter\\w*|refreshAfterWrite|weakKeys|weakValues|softValues"
				+ "|evictionListener|removalListener|recordStats)\\(");

	private final RuntimeHints hints = new RuntimeHints();

	RateLimitRuntimeHintsTests() {
		new RateLimitRuntimeHints().registerHints(this.hints, getClass().getClassLoader());
		// Spring Boot does this for each bean of properties.
		BindableRuntimeHintsRegistrar.forTypes(PropertyTypes.all().values().toArray(Class<?>[]::new))
			.registerHints(this.hints);
	}

	@Test
	void scriptsAreThere() throws IOException {
		Resource[] scripts = new PathMatchingResourcePatternResolver()
			.getResources("classpath:META-INF/ratelimit/lua/*.lua");
		assertThat(scripts).hasSizeGreaterThanOrEqualTo(2)
			.allSatisfy((script) -> assertThat(
					RuntimeHintsPredicates.resource().forResource("META-INF/ratelimit/lua/" + script.getFilename()))
				.accepts(this.hints));
	}

	@ParameterizedTest
	@ValueSource(strings = { "api/openapi.json", "ui/page.html" })
	void textsThatAreServedAreThere(String text) {
		assertThat(RuntimeHintsPredicates.resource().forResource("META-INF/ratelimit/" + text)).accepts(this.hints);
	}

	@Test
	void annotationsCanBeReadAndMerged() {
		assertThat(RuntimeHintsPredicates.proxies().forInterfaces(RateLimited.class)).accepts(this.hints);
		assertThat(RuntimeHintsPredicates.proxies().forInterfaces(RateLimited.Exempt.class)).accepts(this.hints);
		assertThat(Stream.of(RateLimited.class, RateLimited.All.class, RateLimited.Exempt.class)
			.flatMap((type) -> Stream.of(type.getDeclaredMethods()))).hasSizeGreaterThan(5)
			.allSatisfy((method) -> assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(method))
				.accepts(this.hints));
	}

	@Test
	void imaginedRequestsAreThere() {
		assertThat(RuntimeHintsPredicates.proxies().forInterfaces(HttpServletRequest.class)).accepts(this.hints);
	}

	@Test
	void cachesCanBeMade() throws IOException, ReflectiveOperationException {
		Map<Set<String>, Cache<Object, Object>> caches = Map.of(Set.of("maximumSize"),
				Caffeine.newBuilder().maximumSize(1).build(), Set.of("maximumSize", "expireAfterWrite"),
				Caffeine.newBuilder().maximumSize(1).expireAfterWrite(Duration.ofSeconds(1)).build(),
				Set.of("maximumSize", "expireAfter"), Caffeine.newBuilder().maximumSize(1).expireAfter(EXPIRY).build(),
				Set.of("maximumSize", "expireAfter", "evictionListener"),
				Caffeine.newBuilder().maximumSize(1).expireAfter(EXPIRY).evictionListener((key, value, cause) -> {
				}).build(), Set.of("maximumWeight", "expireAfter"),
				Caffeine.newBuilder().maximumWeight(1).weigher((key, value) -> 1).expireAfter(EXPIRY).build(),
				Set.of("weakKeys"), Caffeine.newBuilder().weakKeys().build(), Set.of("weakValues"),
				Caffeine.newBuilder().weakValues().build());
		assertThat(caches.keySet()).as("the caches that the library makes").isEqualTo(shapes());
		Set<String> loaded = new TreeSet<>();
		for (Cache<Object, Object> cache : caches.values()) {
			Object generated = value(cache, "cache");
			loaded.add(generated.getClass().getSimpleName());
			loaded.add(value(generated, "nodeFactory").getClass().getSimpleName());
		}
		assertThat(RateLimitRuntimeHints.CACHES).containsExactlyInAnyOrderElementsOf(loaded);
		assertThat(loaded).allSatisfy((name) -> assertThat(
				RuntimeHintsPredicates.reflection().onType(TypeReference.of(Cache.class.getPackageName() + "." + name)))
			.accepts(this.hints));
	}

	private static Object value(Object owner, String name) throws ReflectiveOperationException {
		for (Class<?> type = owner.getClass(); type != null; type = type.getSuperclass()) {
			for (Field field : type.getDeclaredFields()) {
				if (field.getName().equals(name)) {
					field.setAccessible(true);
					return field.get(owner);
				}
			}
		}
		throw new NoSuchFieldException(name);
	}

	// Find which of the methods that decide the generated class each cache calls.
	private static Set<Set<String>> shapes() throws IOException {
		Set<Set<String>> shapes = new HashSet<>();
		try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
			for (Path file : (Iterable<Path>) files.filter((path) -> path.toString().endsWith(".java"))::iterator) {
				BUILDER.matcher(Files.readString(file))
					.results()
					.map((builder) -> METHOD.matcher(builder.group())
						.results()
						.map((method) -> method.group(1))
						.collect(Collectors.toSet()))
					.forEach(shapes::add);
			}
		}
		return shapes;
	}

	@Test
	void everyRecordOfTheTreeCanBeBound() {
		assertThat(records())
			.contains(RuleProperties.class, LimitProperties.class, PlanProperties.class, ClientProperties.class)
			.allSatisfy((type) -> assertThat(
					RuntimeHintsPredicates.reflection().onConstructorInvocation(type.getDeclaredConstructors()[0]))
				.accepts(this.hints));
	}

	@ParameterizedTest
	@ValueSource(classes = { RuleProperties.class, DefaultsProperties.class })
	void optionsCanBeReadFromTheirComponents(Class<?> properties) {
		assertThat(properties.getRecordComponents()).allSatisfy((component) -> assertThat(
				RuntimeHintsPredicates.reflection().onMethodInvocation(component.getAccessor()))
			.accepts(this.hints));
	}

	@Test
	void textPropertiesHaveConversionHints() {
		List<Class<?>> texts = records().stream()
			.filter((type) -> ReflectionUtils.findMethod(type, "of", String.class) != null)
			.toList();
		assertThat(texts).hasSizeGreaterThan(2)
			.allSatisfy((type) -> assertThat(RuntimeHintsPredicates.reflection()
				.onMethodInvocation(ReflectionUtils.findMethod(type, "of", String.class))).accepts(this.hints));
	}

	private static List<Class<?>> records() {
		List<Class<?>> found = new ArrayList<>();
		PropertyTypes.all().values().forEach((type) -> records(type, found));
		return found;
	}

	// Collect a record of properties and all nested records, including those in maps and
	// lists.
	private static List<Class<?>> records(Class<?> type, List<Class<?>> found) {
		if (type.isRecord() && type.getName().startsWith("dev.ratelimit") && !found.contains(type)) {
			found.add(type);
			Arrays.stream(type.getRecordComponents())
				.map(RecordComponent::getGenericType)
				.map(ResolvableType::forType)
				.flatMap((component) -> Stream.concat(Stream.of(component), Stream.of(component.getGenerics())))
				.forEach((component) -> records(component.resolve(Object.class), found));
		}
		return found;
	}

}
