package dev.ratelimit.web;

import java.util.List;

import dev.ratelimit.RateLimited;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;

/**
 * Controllers whose mappings overlap in all known ways. In each pair, one handler is
 * limited and the other is not.
 */
public final class OverlappingControllers {

	/** All controllers. */
	public static final List<Class<?>> TYPES = List.of(Users.class, Files.class, Conditions.class, Heads.class,
			Shapes.class);

	private OverlappingControllers() {
	}

	@RestController
	@RequestMapping("/users")
	static class Users {

		@GetMapping("/{id}")
		@RateLimited("1/s")
		void one() {
		}

		@GetMapping("/me")
		void me() {
		}

		@PostMapping("/me")
		@RateLimited("1/s")
		void changeMe() {
		}

		@PostMapping
		@RateLimited("1/s")
		void create() {
		}

		@GetMapping
		void all() {
		}

	}

	@RestController
	static class Files {

		@GetMapping("/files/{*path}")
		@RateLimited("1/s")
		void file() {
		}

		@GetMapping("/files/readme")
		void readme() {
		}

		@RequestMapping("/files/{name}/raw")
		void raw() {
		}

		@GetMapping("/{section}/index")
		@RateLimited("1/s")
		void index() {
		}

		@GetMapping("/{*rest}")
		void everything() {
		}

	}

	@RestController
	@RequestMapping("/split")
	static class Conditions {

		@GetMapping(path = "/params", params = "v=1")
		@RateLimited("1/s")
		void first() {
		}

		@GetMapping(path = "/params", params = "v=2")
		void second() {
		}

		@GetMapping("/{any}")
		@RateLimited("1/s")
		void other() {
		}

		@RequestMapping(path = "/headers", headers = "X-V=1")
		@RateLimited("1/s")
		void firstHeader() {
		}

		@RequestMapping(path = "/headers", headers = "X-V=2")
		void secondHeader() {
		}

		@PostMapping(path = "/media", consumes = "application/json")
		@RateLimited("1/s")
		void json() {
		}

		@PostMapping(path = "/media", consumes = "text/plain")
		void text() {
		}

		@GetMapping(path = "/media", produces = "application/json")
		@RateLimited("1/s")
		void jsonOut() {
		}

		@GetMapping(path = "/media", produces = "text/plain")
		void textOut() {
		}

	}

	@RestController
	@RequestMapping("/heads/{x}")
	static class Heads {

		@RequestMapping("/anything")
		@RateLimited("1/s")
		void allMethods() {
		}

		@RequestMapping(path = "/{y}", method = RequestMethod.GET)
		void get() {
		}

		@RequestMapping(path = "/{y}", method = RequestMethod.POST)
		@RateLimited("1/s")
		void post() {
		}

		@RequestMapping(path = "/head", method = { RequestMethod.GET, RequestMethod.PUT })
		@RateLimited("1/s")
		void getOrPut() {
		}

		@RequestMapping(path = "/{*rest}", method = RequestMethod.HEAD)
		void head() {
		}

	}

	@RestController
	static class Shapes {

		@RequestMapping({ "/shapes/{x}", "/shapes/one" })
		@RateLimited("1/s")
		void either() {
		}

		@GetMapping("/shapes/{y}")
		void twin() {
		}

		@GetMapping("/shapes/{number:[0-9]+}")
		void number() {
		}

		@GetMapping("/shapes/caf\u00e9")
		void coffee() {
		}

		@RequestMapping(path = "/shapes/options", method = RequestMethod.OPTIONS)
		@RateLimited("1/s")
		void options() {
		}

		@GetMapping({ "", "/" })
		@RateLimited("1/s")
		void root() {
		}

	}

}
