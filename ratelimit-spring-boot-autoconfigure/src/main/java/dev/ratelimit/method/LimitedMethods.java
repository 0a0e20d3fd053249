package dev.ratelimit.method;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.stream.Stream;

import dev.ratelimit.RateLimited;
import dev.ratelimit.rule.AnnotatedRules;

import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Matches the methods of beans that annotations limit: annotated methods, and the public
 * methods of annotated classes. Handler methods are excluded, because the filters charge
 * their requests. An annotation on the class of a controller applies to its handler
 * methods only.
 */
final class LimitedMethods extends StaticMethodMatcherPointcut {

	private static final String CONTROLLER = "org.springframework.stereotype.Controller";

	private static final String[] HANDLER = { "org.springframework.web.bind.annotation.RequestMapping",
			"org.springframework.web.service.annotation.HttpExchange" };

	LimitedMethods() {
		setClassFilter(LimitedMethods::mayHaveAny);
	}

	// Excludes classes of the framework, to which most beans belong, and gRPC services,
	// because the server does not call their methods through proxies.
	static boolean mayHaveAny(Class<?> type) {
		return isCandidate(type) && !isGrpcService(type);
	}

	static boolean isCandidate(Class<?> type) {
		return AnnotationUtils.isCandidateClass(type, RateLimited.class)
				&& !type.getName().startsWith("org.springframework.");
	}

	static boolean isGrpcService(Class<?> type) {
		return ClassUtils.getAllInterfacesForClassAsSet(type)
			.stream()
			.anyMatch((one) -> one.getName().equals("io.grpc.BindableService"));
	}

	@Override
	public boolean matches(Method method, Class<?> type) {
		Class<?> user = ClassUtils.getUserClass(type);
		return !ReflectionUtils.isObjectMethod(method) && matches(BeanMethod.ofCall(user, method));
	}

	static boolean matches(BeanMethod method) {
		boolean controller = MergedAnnotations.from(method.type(), SearchStrategy.TYPE_HIERARCHY).isPresent(CONTROLLER);
		if (controller && isHandler(method)) {
			return false;
		}
		return AnnotatedRules.limitMethod(method)
				|| (!controller && isOpen(method.method()) && AnnotatedRules.limitClass(method));
	}

	/**
	 * Return whether the annotation of a class has no effect: that of a controller is for
	 * its handlers.
	 * @param type the class
	 * @return whether it is an annotated controller without handlers of HTTP requests
	 */
	static boolean isControllerWithoutHandlers(Class<?> type) {
		MergedAnnotations annotations = MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY);
		return annotations.isPresent(RateLimited.class) && annotations.isPresent(CONTROLLER)
				&& Stream.concat(Stream.of(type.getMethods()), Stream.of(ReflectionUtils.getAllDeclaredMethods(type)))
					.noneMatch((method) -> isHandler(new BeanMethod(type, method)));
	}

	private static boolean isOpen(Method method) {
		return Modifier.isPublic(method.getModifiers()) && !Modifier.isStatic(method.getModifiers())
				&& method.getDeclaringClass() != Object.class;
	}

	private static boolean isHandler(BeanMethod method) {
		MergedAnnotations annotations = MergedAnnotations.from(method.method(), SearchStrategy.TYPE_HIERARCHY);
		for (String handler : HANDLER) {
			if (annotations.isPresent(handler)) {
				return true;
			}
		}
		return false;
	}

}
