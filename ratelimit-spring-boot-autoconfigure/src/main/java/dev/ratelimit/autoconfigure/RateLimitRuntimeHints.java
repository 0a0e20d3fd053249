package dev.ratelimit.autoconfigure;

import java.lang.reflect.Method;
import java.util.List;

import com.github.benmanes.caffeine.cache.Caffeine;
import dev.ratelimit.RateLimited;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.util.ReflectionUtils;

/**
 * Registers resources and types that code finds by name, so that native images contain
 * them: scripts and texts, annotations with their attributes, conversions of properties
 * from text, the proxies of simulated requests, and caches. Boot registers the types of
 * all properties.
 */
final class RateLimitRuntimeHints implements RuntimeHintsRegistrar {

	/** Properties that may be written as one text. */
	static final List<Class<?>> TEXTS = List.of(RateLimitProperties.PlanSource.class, LimitProperties.class,
			PlanProperties.class, WaitProperties.class);

	/** Classes that Caffeine loads by name for the caches that we build. */
	static final List<String> CACHES = List.of("FS", "PSMS", "PSWMS", "PSWMW", "PW", "SI", "SSMS", "SSMSA", "SSMSW",
			"SSMWA", "WS");

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources().registerPattern("META-INF/ratelimit/lua/*.lua");
		hints.resources().registerPattern("META-INF/ratelimit/api/openapi.json");
		hints.resources().registerPattern("META-INF/ratelimit/ui/page.html");
		for (Class<?> annotation : List.of(RateLimited.class, RateLimited.All.class, RateLimited.Exempt.class)) {
			hints.reflection().registerType(annotation, MemberCategory.INVOKE_PUBLIC_METHODS);
		}
		hints.proxies().registerJdkProxy(RateLimited.class);
		hints.proxies().registerJdkProxy(RateLimited.Exempt.class);
		// Simulated requests are proxies.
		hints.proxies().registerJdkProxy(TypeReference.of("jakarta.servlet.http.HttpServletRequest"));
		// Options are read from record components by name.
		for (Class<?> properties : List.of(RuleProperties.class, DefaultsProperties.class)) {
			hints.reflection().registerType(properties, MemberCategory.INVOKE_PUBLIC_METHODS);
		}
		TEXTS.forEach((type) -> registerConversion(type, hints.reflection()));
		// If the library contains Caffeine, the package of Caffeine has another name.
		CACHES.forEach((name) -> hints.reflection()
			.registerType(TypeReference.of(Caffeine.class.getPackageName() + "." + name),
					MemberCategory.INVOKE_DECLARED_CONSTRUCTORS, MemberCategory.ACCESS_DECLARED_FIELDS));
	}

	private static void registerConversion(Class<?> type, ReflectionHints hints) {
		Method of = ReflectionUtils.findMethod(type, "of", String.class);
		if (of == null) {
			throw new IllegalStateException(type + " cannot be created from text");
		}
		hints.registerMethod(of, ExecutableMode.INVOKE);
	}

}
