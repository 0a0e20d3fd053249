package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import dev.ratelimit.web.HandlerMappings;
import dev.ratelimit.web.HandlerRoute;

import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Internal: the differences between servlet and WebFlux. Handler methods are read after
 * they have been mapped.
 *
 * @param routes all routes of all handler methods
 * @param preceded whether other handlers may serve requests before a handler method is
 * searched
 * @param prefix the path of the dispatcher; empty if it serves the whole application
 * @param parser the parser of path patterns of the application
 * @param phased whether authentication takes place between the phases
 * @param mappings find the handler of a simulated request
 */
public record WebStack(Supplier<List<HandlerRoute>> routes, BooleanSupplier preceded, String prefix,
		Supplier<PathPatternParser> parser, boolean phased, HandlerMappings mappings) {
}
