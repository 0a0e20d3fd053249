package dev.ratelimit.web.grpc;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.ratelimit.rule.AnnotatedRules;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.web.HandlerKey;
import dev.ratelimit.web.HandlerRoute;
import io.grpc.BindableService;
import io.grpc.ServerMethodDefinition;

import org.springframework.aop.support.AopUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * The methods of the application's gRPC services: each is a handler method of its path.
 * Thread-safe.
 */
final class GrpcMethods {

	private static final Set<String> LAST_PARAMETERS = Set.of("io.grpc.stub.StreamObserver",
			"kotlin.coroutines.Continuation");

	private final SingletonSupplier<Map<String, HandlerKey>> byPath;

	/**
	 * Create methods of services.
	 * @param services provides the services; called once
	 */
	GrpcMethods(Supplier<Stream<BindableService>> services) {
		this.byPath = SingletonSupplier.of(() -> {
			Map<String, HandlerKey> found = new HashMap<>();
			services.get().forEach((service) -> add(service, found));
			return Map.copyOf(found);
		});
	}

	private static void add(BindableService service, Map<String, HandlerKey> found) {
		Class<?> type = ClassUtils.getUserClass(AopUtils.getTargetClass(service));
		Set<Method> called = new HashSet<>();
		for (ServerMethodDefinition<?, ?> method : service.bindService().getMethods()) {
			String name = String.valueOf(method.getMethodDescriptor().getBareMethodName());
			find(type, name).ifPresent((handler) -> {
				called.add(handler);
				found.put("/" + method.getMethodDescriptor().getFullMethodName(), new HandlerKey(type, handler));
			});
		}
		for (Method method : type.getMethods()) {
			if (!method.isBridge() && !called.contains(method)
					&& AnnotatedRules.limitMethod(new HandlerKey(type, method))) {
				throw new InvalidRuleException(
						"@RateLimited on " + type.getSimpleName() + "." + method.getName() + "()", "",
						"the service has no gRPC method with this name",
						"Annotate the method of a gRPC method, or move this one to another bean.");
			}
		}
	}

	// Manually bound services may have no such method.
	private static Optional<Method> find(Class<?> type, String name) {
		String generated = generated(name);
		List<String> names = List.of(generated, generated + "_", StringUtils.uncapitalize(name));
		return Stream.of(type.getMethods())
			.filter((method) -> names.contains(method.getName()) && !method.isBridge()
					&& !Modifier.isStatic(method.getModifiers()))
			.min(Comparator.comparing((Method method) -> !isCall(method))
				.thenComparing((method) -> names.indexOf(method.getName())));
	}

	// Among overloads, the method that is called has an observer of the response, or is
	// a suspending function.
	private static boolean isCall(Method method) {
		return Stream.of(method.getParameterTypes()).map(Class::getName).anyMatch(LAST_PARAMETERS::contains);
	}

	// The generator of grpc-java omits underscores, and appends one to keywords of Java.
	private static String generated(String name) {
		String[] words = name.split("_+", -1);
		StringBuilder generated = new StringBuilder(name.length()).append(StringUtils.uncapitalize(words[0]));
		for (int i = 1; i < words.length; i++) {
			generated.append(StringUtils.capitalize(words[i]));
		}
		return generated.toString();
	}

	/**
	 * Return the routes to all methods.
	 * @return a route for each method
	 */
	List<HandlerRoute> routes() {
		return this.byPath.obtain()
			.entrySet()
			.stream()
			.map((entry) -> new HandlerRoute(entry.getValue(), PathPatternParser.defaultInstance.parse(entry.getKey()),
					Set.of("POST"), false))
			.toList();
	}

	/**
	 * Find the method of a path.
	 * @param path the path of a call
	 * @return the method, if it exists
	 */
	Optional<HandlerKey> find(String path) {
		return Optional.ofNullable(this.byPath.obtain().get(path));
	}

}
