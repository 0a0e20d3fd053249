package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.function.Supplier;

import dev.ratelimit.web.HandlerRoute;

/**
 * Internal: handler methods of another front than servlet and WebFlux, such as gRPC.
 * Their calls pass the gate of the requests.
 *
 * @param routes all routes of its handler methods, requested once they exist
 * @param phased whether there is an authentication between its phases
 */
public record FrontRoutes(Supplier<List<HandlerRoute>> routes, boolean phased) {
}
