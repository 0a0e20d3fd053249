package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.function.Supplier;

import dev.ratelimit.web.HandlerRoute;

/**
 * Internal: handler methods of a front other than servlet and WebFlux, such as gRPC.
 * Their calls use the same gate as requests.
 *
 * @param routes supplies all routes of its handler methods, once they exist
 * @param phased whether authentication takes place between its phases
 */
public record FrontRoutes(Supplier<List<HandlerRoute>> routes, boolean phased) {
}
