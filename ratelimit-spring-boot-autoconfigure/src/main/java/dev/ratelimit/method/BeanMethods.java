package dev.ratelimit.method;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import dev.ratelimit.rule.InvalidRuleException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/**
 * Finds the limited methods of all beans by the types of the beans, without creating
 * beans.
 */
final class BeanMethods {

	private static final Log logger = LogFactory.getLog(BeanMethods.class);

	private static final boolean COROUTINES = ClassUtils.isPresent("kotlinx.coroutines.reactor.MonoKt",
			BeanMethods.class.getClassLoader());

	/** The bean of the front that limits gRPC services. */
	private static final String GRPC = "rateLimitGrpcRoutes";

	private BeanMethods() {
	}

	/**
	 * Find the limited methods of all beans.
	 * @param beans the bean factory
	 * @return the limited methods
	 * @throws InvalidRuleException if an annotated method cannot be limited by a proxy
	 */
	static Set<BeanMethod> find(ConfigurableListableBeanFactory beans) {
		Set<BeanMethod> found = new LinkedHashSet<>();
		for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
			Class<?> type = type(beans, name);
			// The target of a scoped object is a separate bean.
			if (type != null && !ScopedObject.class.isAssignableFrom(type)) {
				types(type).filter(LimitedMethods::isCandidate).forEach((user) -> find(user, found, beans));
			}
		}
		return found;
	}

	private static @Nullable Class<?> type(ConfigurableListableBeanFactory beans, String name) {
		try {
			return AutoProxyUtils.determineTargetClass(beans, name);
		}
		catch (RuntimeException ex) {
			// Users of the bean receive the exception later.
			logger.debug("The type of bean '" + name + "' cannot be determined", ex);
			return null;
		}
	}

	/**
	 * Return the classes whose annotations apply to an object.
	 * @param type the class of the object
	 * @return the class, or the interfaces of a JDK proxy
	 */
	static Stream<Class<?>> types(Class<?> type) {
		return (Proxy.isProxyClass(type)) ? Stream.of(type.getInterfaces()) : Stream.of(ClassUtils.getUserClass(type));
	}

	private static void find(Class<?> type, Set<BeanMethod> found, ConfigurableListableBeanFactory beans) {
		boolean service = LimitedMethods.isGrpcService(type);
		if (service && beans.containsBean(GRPC)) {
			return;
		}
		if (LimitedMethods.isControllerWithoutHandlers(type)) {
			throw new InvalidRuleException("@RateLimited on " + type.getSimpleName(), "",
					"no method of the controller handles HTTP requests", "Annotate its methods instead.");
		}
		List<Method> methods = List
			.copyOf(MethodIntrospector.selectMethods(type, (Method method) -> matches(type, method)));
		for (Method method : methods) {
			BeanMethod limited = new BeanMethod(type, method);
			require(!service, limited, "no front evaluates calls of gRPC services",
					"Use Spring Boot 4.1 with 'spring-boot-starter-grpc-server', and do not disable 'ratelimit.grpc'.");
			requireCallable(limited);
			found.add(limited);
		}
	}

	private static boolean matches(Class<?> type, Method method) {
		return LimitedMethods.matches(new BeanMethod(type, method));
	}

	private static void requireCallable(BeanMethod limited) {
		Method method = limited.method();
		int modifiers = method.getModifiers();
		boolean hidden = Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers) || Modifier.isFinal(modifiers);
		require(!hidden, limited, "proxies do not intercept private, static, and final methods",
				"Make the method overridable, or inject and call RateLimiter.");
		require(!AnnotatedElementUtils.hasAnnotation(method, Bean.class), limited,
				"this would limit the creation of the bean, not calls of its methods",
				"Annotate the bean's own methods. For router functions, define a rule with 'paths'.");
		require(COROUTINES || !KotlinDetector.isSuspendingFunction(method), limited,
				"suspending functions require 'kotlinx-coroutines-reactor', which is not on the classpath",
				"Add 'org.jetbrains.kotlinx:kotlinx-coroutines-reactor'.");
	}

	private static void require(boolean condition, BeanMethod method, String reason, String action) {
		if (!condition) {
			throw new InvalidRuleException("@RateLimited on " + method, "", reason, action);
		}
	}

}
