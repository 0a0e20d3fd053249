package dev.ratelimit.method;

import java.util.Optional;

import dev.ratelimit.gate.Call;

/**
 * A call of a limited method at the gate: it has a user and nothing else.
 *
 * @param user the user's name, if there is one
 */
record MethodCall(Optional<String> user) implements Call {
}
