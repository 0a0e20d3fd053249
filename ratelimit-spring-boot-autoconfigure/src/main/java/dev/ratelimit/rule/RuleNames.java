package dev.ratelimit.rule;

import java.util.HexFormat;
import java.util.Locale;

import org.springframework.util.ClassUtils;

/**
 * The ids of rules that annotations leave unnamed.
 */
final class RuleNames {

	private static final int LONGEST_ID = 64;

	private RuleNames() {
	}

	/**
	 * The id for an annotation on a class.
	 * @param type the class
	 * @return such as {@code hello-controller}
	 */
	static String of(Class<?> type) {
		return kebab(ClassUtils.getUserClass(type).getSimpleName());
	}

	/**
	 * The id for an annotation on a method.
	 * @param method the method
	 * @return such as {@code hello-controller-hello}
	 */
	static String of(AnnotatedMethod method) {
		return of(method.type()) + "-" + kebab(method.method().getName());
	}

	/**
	 * The id of one of several annotations on an element.
	 * @param id the id of the first
	 * @param number which of those without a name it is, from 1
	 * @return the id, no longer than ids may be
	 */
	static String numbered(String id, int number) {
		return bounded((number > 1) ? id + "-" + number : id);
	}

	private static String kebab(String camel) {
		return camel.replaceAll("([a-z0-9])([A-Z])", "$1-$2")
			.replaceAll("([A-Z]+)([A-Z][a-z])", "$1-$2")
			.toLowerCase(Locale.ROOT)
			.replaceAll("[^a-z0-9]+", "-");
	}

	private static String bounded(String id) {
		return (id.length() <= LONGEST_ID) ? id
				: id.substring(0, LONGEST_ID - 9) + "-" + HexFormat.of().toHexDigits(id.hashCode());
	}

}
