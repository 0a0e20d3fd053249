package dev.ratelimit.testing;

import dev.ratelimit.RateLimited;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * The controller under test in the slices.
 */
@RestController
class SliceController {

	@GetMapping("/search")
	@RateLimited(id = "search", value = "2/min")
	String search() {
		return "found";
	}

	@GetMapping("/free")
	@RateLimited.Exempt("orders")
	String free() {
		return "free";
	}

}
