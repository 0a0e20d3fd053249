package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import dev.ratelimit.web.HandlerMappings;
import dev.ratelimit.web.HandlerRoute;

import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Internal: the differences between servlet and WebFlux. Handler methods are looked up
 * once they exist.
 *
 * @param routes all routes of all handler methods
 * @param preceded whether requests may be served before a handler method is looked for
 * @param prefix the dispatcher's path, empty if it has the whole application
 * @param parser the parser by which the application reads path patterns
 * @param phased whether there is an authentication between the phases
 * @param mappings find the handler of a simulated request
 */
public record WebStack(Supplier<List<HandlerRoute>> routes, BooleanSupplier preceded, String prefix,
		Supplier<PathPatternParser> parser, boolean phased, HandlerMappings mappings) {
}
