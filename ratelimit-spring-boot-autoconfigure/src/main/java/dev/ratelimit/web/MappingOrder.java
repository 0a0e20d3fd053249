package dev.ratelimit.web;

import java.util.List;
import java.util.function.Predicate;

/**
 * Internal: the order in which the dispatcher calls handler mappings, as far as it
 * affects handler methods. Immutable.
 *
 * @param <M> the type of all mappings
 * @param <H> the type of mappings to handler methods
 * @param before the other mappings that are called before those to handler methods
 * @param called all mappings up to the last one to handler methods
 * @param methods the mappings to handler methods
 * @param routed all mappings up to the last one to handler methods or router functions
 */
public record MappingOrder<M, H extends M>(List<M> before, List<M> called, List<H> methods, List<M> routed) {

	/**
	 * Return the order of mappings.
	 * @param <M> the type of all mappings
	 * @param <H> the type of mappings to handler methods
	 * @param mappings all mappings, in their order
	 * @param type the type of mappings to handler methods
	 * @param functions the type of mappings to router functions
	 * @param silent whether a mapping serves no request that a rule could charge
	 * @return the order
	 */
	public static <M, H extends M> MappingOrder<M, H> of(List<? extends M> mappings, Class<H> type,
			Class<? extends M> functions, Predicate<M> silent) {
		List<M> speaking = mappings.stream().<M>map((mapping) -> mapping).filter(silent.negate()).toList();
		List<H> methods = speaking.stream().filter(type::isInstance).map(type::cast).toList();
		List<M> routed = upToTheLast(speaking, (mapping) -> type.isInstance(mapping) || functions.isInstance(mapping));
		if (methods.isEmpty()) {
			return new MappingOrder<>(List.of(), List.of(), List.of(), routed);
		}
		return new MappingOrder<>(speaking.subList(0, speaking.indexOf(methods.get(0))),
				upToTheLast(speaking, type::isInstance), methods, routed);
	}

	private static <M> List<M> upToTheLast(List<M> mappings, Predicate<M> wanted) {
		int last = mappings.size();
		while (last > 0 && !wanted.test(mappings.get(last - 1))) {
			last--;
		}
		return mappings.subList(0, last);
	}

	/**
	 * Whether several mappings lead to handler methods. The first one that matches serves
	 * a request, even if the pattern of a later one is more specific, so patterns alone
	 * do not determine the handler.
	 * @return whether the mappings must be called for each request
	 */
	public boolean mixed() {
		return this.methods.size() > 1;
	}

}
