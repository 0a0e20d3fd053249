package dev.ratelimit.web;

import java.util.List;
import java.util.Map;

/**
 * Which rules each handler method names. Immutable.
 *
 * @param index finds handler methods
 * @param byHandler ids of rules by handler method
 * @since 0.1.0
 */
public record HandlerRules(HandlerIndex index, Map<HandlerKey, List<String>> byHandler) {

	/** No handler names a rule. */
	public static final HandlerRules NONE = new HandlerRules(HandlerIndex.EMPTY, Map.of());

	List<String> rules(HandlerKey handler) {
		return this.byHandler.getOrDefault(handler, List.of());
	}

}
