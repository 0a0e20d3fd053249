package example;

import java.security.Principal;
import java.util.List;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;

/**
 * An application with the notes of users, as a page and as JSON.
 */
@SpringBootApplication
public class NotesApplication {

	public static void main(String[] args) {
		SpringApplication.run(NotesApplication.class, args);
	}

	@Bean
	UserDetailsService users() {
		return new InMemoryUserDetailsManager(User.withUsername("ann").password("{noop}secret").build());
	}

	@Bean
	SecurityFilterChain security(HttpSecurity http) throws Exception {
		return http.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated())
			.httpBasic(Customizer.withDefaults())
			.build();
	}

	@Controller
	static class NotesController {

		private final Notes notes;

		NotesController(Notes notes) {
			this.notes = notes;
		}

		@GetMapping("/")
		String page(Principal user, Model model) {
			model.addAttribute("notes", this.notes.findByAuthorOrderById(user.getName()));
			return "notes";
		}

		@PostMapping("/")
		String add(Principal user, @RequestParam String text) {
			this.notes.save(new Note(user.getName(), text));
			return "redirect:/";
		}

		@GetMapping("/api/notes")
		@ResponseBody
		List<Note> list(Principal user) {
			return this.notes.findByAuthorOrderById(user.getName());
		}

	}

}
