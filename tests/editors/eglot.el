;; Emacs with eglot: starts the server and checks exploring, hover, a code lens and that there is no error.
(require 'eglot)
(require 'jsonrpc)
(setq vc-handled-backends nil eglot-sync-connect 60 eglot-connect-timeout 60)
(defun check (what value) (unless value (error "%s" what)) value)
(condition-case failure
    (progn
      (add-to-list 'eglot-server-programs
                   `(prog-mode . (,(getenv "SIGHTLINE_PYTHON") "-m" "lsp_server" "serve")))
      (find-file "shop/services/checkout.py")
      (prog-mode)
      (cl-letf (((symbol-function 'project-current)
                 (lambda (&rest _) (cons 'transient default-directory))))
        (eglot 'prog-mode (cons 'transient (expand-file-name default-directory))
               'eglot-lsp-server
               `(,(getenv "SIGHTLINE_PYTHON") "-m" "lsp_server" "serve") "sightline"))
      (let* ((server (check "no server" (eglot-current-server)))
             (report (jsonrpc-request
                      server :workspace/executeCommand
                      '(:command "sightline.explore"
                        :arguments [(:query "How is an order placed?")])
                      :timeout 60))
             (links (check "no links" (append (plist-get report :links) nil)))
             (link (check "no link here"
                          (seq-find (lambda (l) (string-suffix-p "checkout.py" (plist-get l :path)))
                                    links)))
             (line (plist-get (plist-get link :quoteRange) :start))
             (id (eglot--TextDocumentIdentifier))
             (hover (jsonrpc-request
                     server :textDocument/hover
                     (list :textDocument id
                           :position (list :line (1- line) :character 0))))
             (lenses (jsonrpc-request server :textDocument/codeLens (list :textDocument id)))
             (actions (jsonrpc-request
                       server :textDocument/codeAction
                       (list :textDocument id
                             :range (list :start (list :line (1- line) :character 4)
                                          :end (list :line (1- line) :character 4))
                             :context '(:diagnostics [])))))
        (check "no hover" (plist-get (plist-get hover :contents) :value))
        (check "no lenses" (> (length lenses) 0))
        (check "no actions" (> (length actions) 0))
        (eglot-shutdown server)
        (message "PASSED %d links, %d lenses" (length links) (length lenses))
        (kill-emacs 0)))
  (error (message "FAILED %S" failure) (kill-emacs 1)))
