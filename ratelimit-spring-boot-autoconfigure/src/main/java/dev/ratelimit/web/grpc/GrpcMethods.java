package dev.ratelimit.web.grpc;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

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
		for (ServerMethodDefinition<?, ?> method : service.bindService().getMethods()) {
			String name = StringUtils.uncapitalize(String.valueOf(method.getMethodDescriptor().getBareMethodName()));
			find(type, name).ifPresent((handler) -> found.put("/" + method.getMethodDescriptor().getFullMethodName(),
					new HandlerKey(type, handler)));
		}
	}

	// Manually bound services may have no such method.
	private static Optional<Method> find(Class<?> type, String name) {
		return Stream.of(type.getMethods())
			.filter((method) -> method.getName().equals(name) && !method.isBridge()
					&& !Modifier.isStatic(method.getModifiers()))
			.findFirst();
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
					Set.of("POST"), true))
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
