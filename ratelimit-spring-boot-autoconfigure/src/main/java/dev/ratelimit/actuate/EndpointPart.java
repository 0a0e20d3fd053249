package dev.ratelimit.actuate;

import java.util.function.Supplier;

/**
 * Internal: a part of the endpoint that a capability contributes as a bean.
 *
 * @param name the selector below the endpoint; no rule may have this id
 * @param content the content, as values that can be written as JSON; read once per
 * request
 */
public record EndpointPart(String name, Supplier<Object> content) {
}
