package dev.ratelimit.autoconfigure;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import dev.ratelimit.base.RuleReach;
import dev.ratelimit.engine.Edition;
import dev.ratelimit.rule.AnnotatedMethod;
import dev.ratelimit.web.HandlerRoute;

import org.springframework.beans.factory.ObjectProvider;

/**
 * Hands the rules of each edition to the doctor, with the paths of the handlers that name
 * them.
 */
final class RuleExamination implements Consumer<Edition> {

	private final ObjectProvider<RuleChangeListener> doctor;

	private final Map<String, List<String>> handlerPaths;

	private final boolean phased;

	RuleExamination(ObjectProvider<RuleChangeListener> doctor, List<HandlerRoute> routes,
			Map<AnnotatedMethod, List<String>> byHandler, Optional<WebStack> stack) {
		this.doctor = doctor;
		this.handlerPaths = stack.map((present) -> paths(routes, byHandler, present.prefix())).orElse(Map.of());
		this.phased = stack.map(WebStack::phased).orElse(false);
	}

	@Override
	public void accept(Edition edition) {
		this.doctor.ifAvailable((listener) -> listener.use(edition.rules()
			.rules()
			.values()
			.stream()
			.map((rule) -> new RuleReach(rule, this.handlerPaths.getOrDefault(rule.id(), List.of())))
			.toList(), this.phased));
	}

	private static Map<String, List<String>> paths(List<HandlerRoute> routes,
			Map<AnnotatedMethod, List<String>> byHandler, String prefix) {
		Map<String, List<String>> paths = new HashMap<>();
		for (HandlerRoute route : routes) {
			for (String id : byHandler.getOrDefault(route.handler(), List.of())) {
				paths.computeIfAbsent(id, (key) -> new ArrayList<>()).add(prefix + route.pattern().getPatternString());
			}
		}
		return paths;
	}

}
