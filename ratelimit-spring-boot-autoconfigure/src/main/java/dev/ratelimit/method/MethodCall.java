package dev.ratelimit.method;

import java.util.Optional;

import dev.ratelimit.engine.WaitingPlaces;
import dev.ratelimit.gate.Call;

/**
 * A call of a limited method at the gate: it has a user and nothing else.
 *
 * @param user the user's name, if there is one
 * @param waitingPlaces the places for the thread of the call, if that waits
 */
record MethodCall(Optional<String> user, Optional<WaitingPlaces> waitingPlaces) implements Call {
}
