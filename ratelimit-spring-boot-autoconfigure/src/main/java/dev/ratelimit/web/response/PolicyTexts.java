package dev.ratelimit.web.response;

import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.Function;

import dev.ratelimit.Policy;

/**
 * The constant text of each policy in responses, created once. Thread-safe.
 *
 * @param <T> the type of the text
 */
final class PolicyTexts<T> {

	private final Function<Policy, T> writing;

	// Compares by identity, which avoids the hash of a whole record, because there is one
	// policy object per limit. The map is not changed after its assignment.
	private volatile Map<Policy, T> written = new IdentityHashMap<>();

	PolicyTexts(Function<Policy, T> writing) {
		this.writing = writing;
	}

	void use(Collection<Policy> policies) {
		Map<Policy, T> texts = new IdentityHashMap<>(policies.size());
		policies.forEach((policy) -> texts.put(policy, of(policy)));
		this.written = texts;
	}

	// A current request may still have a policy of the previous rules.
	T of(Policy policy) {
		T cached = this.written.get(policy);
		return (cached != null) ? cached : this.writing.apply(policy);
	}

}
