package dev.ratelimit.web.response;

import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.Function;

import dev.ratelimit.Policy;

/**
 * The constant text of each policy on every response, written once. Thread-safe.
 *
 * @param <T> the type of what is written
 */
final class PolicyTexts<T> {

	private final Function<Policy, T> writing;

	// By identity, which costs no hash of a whole record: there is one policy per limit,
	// made with its rule. Not changed any more once it is here.
	private volatile Map<Policy, T> written = new IdentityHashMap<>();

	PolicyTexts(Function<Policy, T> writing) {
		this.writing = writing;
	}

	void use(Collection<Policy> policies) {
		Map<Policy, T> texts = new IdentityHashMap<>(policies.size());
		policies.forEach((policy) -> texts.put(policy, of(policy)));
		this.written = texts;
	}

	// A request on its way may still carry a policy of the rules before.
	T of(Policy policy) {
		T cached = this.written.get(policy);
		return (cached != null) ? cached : this.writing.apply(policy);
	}

}
