package dev.ratelimit.sample;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Handlers that the rules in {@code application.yml} limit: search by its cost, reports
 * by three limits at once, and slow, where requests wait for their turn.
 */
@RestController
class CatalogController {

	@GetMapping("/api/search")
	String search(@RequestParam(defaultValue = "") String q) {
		return "Nothing found for '" + q + "'.\n";
	}

	@GetMapping("/api/slow")
	String slow() {
		return "Your turn.\n";
	}

	@GetMapping("/api/reports")
	String reports() {
		return "No reports today.\n";
	}

}
