package dev.ratelimit.autoconfigure;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import com.github.benmanes.caffeine.cache.Cache;
import dev.ratelimit.RateLimited;
import dev.ratelimit.client.ClientProperties;
import dev.ratelimit.store.ExhaustedBuckets;
import dev.ratelimit.store.memory.MemoryLimitStore;
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
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;

class RateLimitRuntimeHintsTests {

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
	void cachesCanBeMade() throws IllegalAccessException {
		Set<Class<?>> loaded = new HashSet<>();
		for (Object owner : List.of(new MemoryLimitStore(10, () -> 0), new ExhaustedBuckets(() -> 0))) {
			collectLoadedByName(owner, loaded);
		}
		assertThat(loaded).hasSize(4)
			.allSatisfy((type) -> assertThat(RuntimeHintsPredicates.reflection().onType(TypeReference.of(type)))
				.accepts(this.hints));
		assertThat(RateLimitRuntimeHints.CACHES).contains("PSMS", "SSMS")
			.allSatisfy((name) -> assertThat(ClassUtils.isPresent(Cache.class.getPackageName() + "." + name, null))
				.isTrue());
	}

	// Collect the generated cache classes that an object refers to.
	private static void collectLoadedByName(Object owner, Set<Class<?>> found) throws IllegalAccessException {
		for (Class<?> type = owner.getClass(); type != null; type = type.getSuperclass()) {
			for (Field field : type.getDeclaredFields()) {
				boolean part = field.getType().getName().startsWith("dev.ratelimit.store.memory")
						|| field.getType() == Cache.class || field.getName().equals("cache")
						|| field.getName().equals("nodeFactory");
				if (part && !Modifier.isStatic(field.getModifiers())) {
					field.setAccessible(true);
					Object value = field.get(owner);
					if (value.getClass().getSimpleName().matches("[PS][SW]*M[SW]A?|[PS]+M[SW]A?")) {
						found.add(value.getClass());
					}
					collectLoadedByName(value, found);
				}
			}
		}
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
