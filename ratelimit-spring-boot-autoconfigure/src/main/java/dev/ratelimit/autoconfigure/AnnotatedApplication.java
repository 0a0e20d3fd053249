package dev.ratelimit.autoconfigure;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import dev.ratelimit.method.BeanMethod;
import dev.ratelimit.method.MethodGate;
import dev.ratelimit.rule.AnnotatedMethod;
import dev.ratelimit.rule.AnnotatedRules;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.SimilarNames;
import dev.ratelimit.web.HandlerKey;
import dev.ratelimit.web.HandlerRoute;

/**
 * All annotated methods of an application: handlers, and methods of other beans.
 *
 * @param rules the rules of their annotations
 * @param beanMethods the limited methods of beans, except handler methods
 */
record AnnotatedApplication(AnnotatedRules rules, List<BeanMethod> beanMethods) {

	static AnnotatedApplication of(List<HandlerRoute> routes, Collection<BeanMethod> found) {
		List<HandlerKey> handlers = routes.stream().map(HandlerRoute::handler).toList();
		List<BeanMethod> others = found.stream()
			.filter((method) -> handlers.isEmpty()
					|| !handlers.contains(new HandlerKey(method.type(), method.method())))
			.toList();
		List<AnnotatedMethod> all = new ArrayList<>(handlers);
		all.addAll(others);
		return new AnnotatedApplication(AnnotatedRules.of(all), others);
	}

	/**
	 * Return the rules that annotations define or reference.
	 * @return their ids
	 */
	Set<String> named() {
		return this.rules.byMethod().values().stream().flatMap(List::stream).collect(Collectors.toSet());
	}

	/**
	 * Return the rules that annotations of handlers define or reference.
	 * @param routes all routes of all handler methods
	 * @return their ids
	 */
	Set<String> namedByHandlers(List<HandlerRoute> routes) {
		return routes.stream()
			.flatMap((route) -> this.rules.byMethod().getOrDefault(route.handler(), List.of()).stream())
			.collect(Collectors.toSet());
	}

	/**
	 * Require that every rule exists that an annotation references.
	 * @param rules all rules
	 * @param whole whether the application loads all of its rules
	 */
	void requireKnown(Collection<Rule> rules, boolean whole) {
		Set<String> ids = new TreeSet<>();
		rules.forEach((rule) -> ids.add(rule.id()));
		this.rules.byMethod().forEach((method, names) -> requireKnown(ids, "@RateLimited on " + method, names));
		if (whole) {
			this.rules.exemptions()
				.forEach((method, exemption) -> requireKnown(ids, "@RateLimited.Exempt on " + method,
						exemption.rules()));
		}
	}

	private static void requireKnown(Set<String> ids, String location, Collection<String> names) {
		for (String name : names) {
			if (!ids.contains(name)) {
				throw new InvalidRuleException(location, name, "no rule has this id" + SimilarNames.hint(name, ids),
						"Define ratelimit.rules." + name + ", or use one of " + ids + ".");
			}
		}
	}

	/**
	 * Require that rules of bean methods do not need a request.
	 * @param rules all rules
	 * @param gate the gate, which checks each rule of a method
	 */
	void requireCallable(Collection<Rule> rules, MethodGate gate) {
		for (BeanMethod method : this.beanMethods) {
			Set<String> names = new HashSet<>(this.rules.byMethod().getOrDefault(method, List.of()));
			rules.stream().filter((rule) -> names.contains(rule.id())).forEach((rule) -> gate.check(method, rule));
		}
	}

}
