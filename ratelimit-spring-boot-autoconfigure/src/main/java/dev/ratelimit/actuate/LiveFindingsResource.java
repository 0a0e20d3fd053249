package dev.ratelimit.actuate;

import java.util.Optional;

import dev.ratelimit.doctor.Doctor;

/**
 * Internal: {@code findings}, what the doctor finds.
 *
 * @param doctor the doctor
 */
public record LiveFindingsResource(Doctor doctor) implements LiveResource {

	@Override
	public String name() {
		return "findings";
	}

	@Override
	public Optional<Object> read(LiveRequest request) {
		return Optional.of(FindingsDescription.of(this.doctor));
	}

}
